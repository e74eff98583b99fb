#include "engine/schedule/compute_program.h"
#include "engine/schedule/delayed_weights.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{
namespace
{

/// As ZB-H1 with twice the lead: forwards fill the way of the first gradient back to the stage.
ComputeProgram zbH2(const ScheduleRequest& request)
{
    ComputeProgram program = straightPipeline(request.name, request.stages, request.microbatches);
    for (int stage = 0; stage < request.stages; ++stage)
        delayWeights(program, stage, 2 * (request.stages - stage) - 1, 2 * stage);
    return program;
}

} // namespace

NamedSchedule zbH2Schedule()
{
    ScheduleInfo info;
    info.name = "zb-h2";
    info.title = "ZB-H2";
    info.source = "Qi et al., Zero Bubble Pipeline Parallelism, 2024";
    info.summary = "Split backward with a longer warm-up: for equal times a stage never idles "
                   "between its first and last step, and it keeps 2P - 1 microbatches.";
    info.splitsBackward = true;
    return {info, zbH2};
}

} // namespace triaxis
