#include "engine/schedule/compute_program.h"
#include "engine/schedule/delayed_weights.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{
namespace
{

/// 1F1B with a split backward. Stage r computes the weights' part r microbatches late, so that all
/// stages keep what the first one keeps in 1F1B.
ComputeProgram zbH1(const ScheduleRequest& request)
{
    ComputeProgram program = straightPipeline(request.name, request.stages, request.microbatches);
    for (int stage = 0; stage < request.stages; ++stage)
        delayWeights(program, stage, request.stages - stage, stage);
    return program;
}

} // namespace

NamedSchedule zbH1Schedule()
{
    ScheduleInfo info;
    info.name = "zb-h1";
    info.title = "ZB-H1";
    info.source = "Qi et al., Zero Bubble Pipeline Parallelism, 2024";
    info.summary = "1F1B with the backward split, the weights' part delayed to fill the end: a "
                   "third of the bubble for equal times, and every stage keeps P microbatches.";
    info.splitsBackward = true;
    return {info, zbH1};
}

} // namespace triaxis
