#include "queries.h"

#include "fixtures.h"

#include "engine/schedule/generators.h"

namespace triaxis::tests
{

int positionOf(const std::vector<Instruction>& list, InstructionId id)
{
    for (std::size_t at = 0; at < list.size(); ++at)
        if (list[at].id == id)
            return int(at);
    return -1;
}

std::vector<Instruction> ofKind(const std::vector<Instruction>& list, Kind kind)
{
    std::vector<Instruction> found;
    for (const Instruction& instruction : list)
        if (instruction.id.kind() == kind)
            found.push_back(instruction);
    return found;
}

std::vector<Instruction> instructionsOf(const Program& program, int stage)
{
    return program.perStage[stage].instructions;
}

std::vector<Program> manyPrograms()
{
    std::vector<Program> all;
    for (const std::string& schedule : scheduleNames())
        for (int stages = 1; stages <= 6; ++stages)
            for (const int microbatches : {1, 2, 5, 8})
                all.push_back(programFor(schedule, inputsFor(stages, microbatches, 2)));
    for (const ComputeProgram& compute :
         {interleaved(), interleavedThree(), splitBackward(), vShaped(), bidirectional()})
        all.push_back(complete(compute, 2));
    return all;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

} // namespace triaxis::tests
