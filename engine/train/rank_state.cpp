#include "engine/train/rank_state.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/rank_work.h"
#include "engine/train/initial_weights.h"

namespace triaxis::train
{
namespace
{

Coordinates placeOf(const RunPlan& plan, const kernels::World& world)
{
    if (plan.layout.ranks() != world.size())
        throw Error("cannot start the run",
                    "the layout " + toText(plan.layout) + " needs " +
                        std::to_string(plan.layout.ranks()) + " ranks and " +
                        std::to_string(world.size()) + " were started",
                    "start as many processes as the layout has ranks");
    return coordinatesOf(plan.layout, Rank(world.rank()));
}

Program checkedProgram(const RunPlan& plan)
{
    for (const Diagnostic& finding : checkPlan(plan))
        if (finding.severity == Severity::Error)
            throw Error("cannot start the run", finding.what + " (" + finding.where + ")",
                        finding.mend);
    return programOf(plan);
}

/// What does not fit is refused before anything is made. The prediction counts what the layers ask
/// for; a device may need more, so that a little too much is still found by the allocation itself.
Program fitting(Program program, const RunPlan& plan, const kernels::Device& device,
                const kernels::World& world)
{
    const std::int64_t available = device.availableBytes();
    if (available < 0)
        return program;
    const std::int64_t needed = rankMemory(plan, program, Rank(world.rank())).peakTotal;
    if (needed > available)
        throw Error("cannot start the run",
                    "rank " + std::to_string(world.rank()) + " needs " + units::bytes(needed) +
                        " of memory, and " + device.name() + " has " + units::bytes(available) +
                        " free for it",
                    "use more tensor or pipeline ranks, a smaller microbatch, or fewer ranks on a "
                    "device");
    return program;
}

} // namespace

RankState::RankState(const RunPlan& runPlan, kernels::Device& device, kernels::World& runWorld)
    : plan(runPlan), world(runWorld), inputs(programInputs(runPlan)),
      at(placeOf(runPlan, runWorld)),
      program(fitting(checkedProgram(runPlan), runPlan, device, runWorld)),
      groups(makeRankGroups(runWorld, runPlan.layout, runPlan.model, program)),
      stream(device.makeStream()),
      tensor(runWorld, groups.tensor.get()), compute{device, *stream, tensor},
      store(compute, runPlan.model, stage().chunks, at.tensor, runPlan.layout.tp),
      feed(runPlan, at.data)
{
    for (const ChunkContent& content : stage().chunks)
        chunks.push_back(bindChunk(plan.model, content, store, plan.layout.tp));
    if (plan.weights.empty())
        randomWeights(compute, store, plan.training.seed);
    else
        loadWeights(compute, store, plan.model, plan.weights);
}

} // namespace triaxis::train
