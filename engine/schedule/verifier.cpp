#include "engine/schedule/verifier.h"

#include "engine/schedule/verifier_rules.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// A chunk's activations of a microbatch live from its forward until their last use, the weights'
/// part of the backward.
int peakLiveOf(const std::vector<Instruction>& instructions)
{
    int live = 0;
    int peak = 0;
    for (const Instruction& instruction : instructions) {
        const Kind kind = instruction.id.kind();
        if (kind == Kind::Forward)
            peak = std::max(peak, ++live);
        if (kind == Kind::Backward || kind == Kind::BackwardWeight)
            --live;
    }
    return peak;
}

std::optional<Refusal> firstBroken(const Program& program)
{
    if (auto found = checkProgramShape(program))
        return found;
    const ProgramIndex index(program);
    for (const auto check :
         {checkInstructions, checkOrder, checkChannels, checkTail, checkProgress})
        if (auto found = check(index))
            return found;
    return std::nullopt;
}

} // namespace

Verdict verify(const Program& program)
{
    Verdict verdict;
    verdict.refusal = firstBroken(program);
    for (const StageProgram& stage : program.perStage)
        verdict.peakLive.push_back(peakLiveOf(stage.instructions));
    return verdict;
}

} // namespace triaxis
