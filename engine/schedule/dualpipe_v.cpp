#include "engine/schedule/compute_program.h"
#include "engine/schedule/dualpipe_order.h"
#include "engine/schedule/named_schedule.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Fewer microbatches than the order needs are its first ones.
ComputeProgram dualPipeV(const ScheduleRequest& request)
{
    const int stages = request.stages;
    ComputeProgram program = vPipeline(request.name, stages, request.microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        StageOrder order(program, stage);
        writeDualPipe(order, stages, stage, std::max(request.microbatches, 2 * stages), 0, 1);
    }
    return program;
}

} // namespace

NamedSchedule dualPipeVSchedule()
{
    ScheduleInfo info;
    info.name = "dualpipe-v";
    info.title = "DualPipe-V";
    info.source = "DeepSeek-AI, DualPipe, and its cut in half by Sea AI Lab, 2025";
    info.summary = "Two chunks a stage in a V; a forward runs overlapped with the backward of "
                   "another microbatch, which hides their communication.";
    info.minimumVirtual = info.maximumVirtual = 2;
    info.splitsBackward = true;
    return {info, dualPipeV};
}

} // namespace triaxis
