#include "engine/schedule/bidirectional.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/dualpipe_order.h"
#include "engine/schedule/named_schedule.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Half of the stages lie before the middle: there microbatches of the stage's own end of the
/// pipeline come in, and those of the other end go out. Fewer microbatches than the order needs
/// are its first ones.
ComputeProgram dualPipe(const ScheduleRequest& request)
{
    checkBidirectional(request);
    const int stages = request.stages;
    const int oneWay = std::max(microbatchesOneWay(request.microbatches), stages);
    ComputeProgram program = bidirectionalPipeline(request.name, stages, request.microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        StageOrder order(program, stage);
        shareMicrobatches(order, request.microbatches);
        const int fromEnd = std::min(stage, stages - 1 - stage);
        const int in = stage < stages / 2 ? 0 : 1;
        writeDualPipe(order, stages / 2, fromEnd, oneWay, in, 1 - in);
    }
    return program;
}

} // namespace

NamedSchedule dualPipeSchedule()
{
    ScheduleInfo info;
    info.name = "dualpipe";
    info.title = "DualPipe";
    info.source = "DeepSeek-AI, DeepSeek-V3 Technical Report, 2024";
    info.summary = "Two replicas of the stages in opposite directions; a forward of one runs "
                   "overlapped with a backward of the other. Twice the weights.";
    info.replicas = 2;
    info.splitsBackward = true;
    return {info, dualPipe};
}

} // namespace triaxis
