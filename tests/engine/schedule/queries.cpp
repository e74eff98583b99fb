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

std::vector<std::string> generatedNames()
{
    std::vector<std::string> names;
    for (const std::string& name : scheduleNames())
        if (name != "custom" && name != "auto")
            names.push_back(name);
    return names;
}

int leastVirtual(const std::string& schedule)
{
    return scheduleInfo(schedule).minimumVirtual;
}

Program programOf(const std::string& schedule, int stages, int microbatches, int dp)
{
    return programFor(schedule, inputsFor(stages, microbatches, dp, leastVirtual(schedule)));
}

std::vector<Program> manyPrograms()
{
    std::vector<Program> all;
    for (const std::string& schedule : generatedNames()) {
        const bool twoWays = scheduleInfo(schedule).replicas > 1;
        for (int stages = twoWays ? 2 : 1; stages <= 6; stages += twoWays ? 2 : 1)
            for (const int microbatches : {twoWays ? 3 : 1, 2, 5, 8})
                all.push_back(programOf(schedule, stages, microbatches, 2));
    }
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
