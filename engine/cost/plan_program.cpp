#include "engine/cost/plan_program.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/generators.h"
#include "engine/search/auto_schedule.h"

namespace triaxis
{
namespace
{

/// Costs, memory and reductions of a plan take chunk c of stage r for virtual stage c·P + r.
bool isLooped(const ComputeProgram& placement)
{
    for (int stage = 0; stage < placement.stages; ++stage) {
        for (int chunk = 0; chunk < placement.chunks; ++chunk) {
            if (placement.virtualStage[stage][chunk] != chunk * placement.stages + stage) {
                return false;
            }
        }
    }
    return placement.replicas == 1;
}

ComputeProgram searchedProgram(const ParallelPlan& plan, int microbatches, const StageCosts& costs)
{
    AutoRequest request;
    request.stages = plan.pp;
    request.microbatches = microbatches;
    request.mostChunks = plan.virtualStages;
    request.memory = plan.scheduleMemory;
    request.costs = [&](const ComputeProgram& placement) {
        if (placement.chunks != plan.virtualStages || !isLooped(placement)) {
            throw Error("cannot price the placement", "other chunks than the plan's", {});
        }
        return costs;
    };
    return searchSchedule(request).program;
}

} // namespace

ComputeProgram computeProgramOf(const TrainingJob& job, const ParallelPlan& plan,
                                const StageCosts& costs)
{
    const std::int64_t microbatches = plan.microbatches(job.globalBatch);
    if (microbatches < 1) {
        throw Error("cannot make the schedule \"" + plan.schedule + "\"",
                    "a global batch of " + std::to_string(job.globalBatch) + " sequences over " +
                        std::to_string(plan.dp) + " replicas in microbatches of " +
                        std::to_string(plan.microbatch),
                    "make the global batch a multiple of replicas × microbatch");
    }
    if (!fitsProgram(plan, microbatches)) {
        throw Error("cannot play the schedule \"" + plan.schedule + "\"",
                    std::to_string(microbatches) + " microbatches on " + std::to_string(plan.pp) +
                        " stages are too many steps",
                    "use larger microbatches or more replicas");
    }
    if (plan.schedule == "auto") {
        return searchedProgram(plan, static_cast<int>(microbatches), costs);
    }
    // One chunk a stage leaves nothing to interleave.
    const bool plain = plan.schedule == "interleaved" && plan.virtualStages == 1;
    return generate(plain ? "1f1b" : plan.schedule, plan.pp, static_cast<int>(microbatches),
                    plan.virtualStages);
}

} // namespace triaxis
