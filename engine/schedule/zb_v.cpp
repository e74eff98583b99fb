#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"
#include "engine/schedule/stage_order.h"

#include <algorithm>

namespace triaxis
{
namespace
{

void backwardInputAndWeight(StageOrder& order, int chunk)
{
    order.backwardInput(chunk);
    order.backwardWeight(chunk);
}

/// Needs M ≥ 2P − 1.
void writeStage(StageOrder& order, int stages, int stage, int microbatches)
{
    for (int i = 0; i < 2 * (stages - stage) - 1; ++i)
        order.forward(0);
    for (int i = 0; i < stage; ++i) {
        order.forward(1);
        order.forward(0);
    }
    for (int i = 0; i < stages - stage; ++i) {
        order.forward(1);
        backwardInputAndWeight(order, 1);
    }
    while (order.forwards(1) < microbatches) {
        if (order.forwards(0) < microbatches)
            order.forward(0);
        backwardInputAndWeight(order, 0);
        order.forward(1);
        backwardInputAndWeight(order, 1);
    }
    for (int i = 0; i < stage; ++i) {
        order.backwardInput(0);
        order.backwardInput(1);
    }
    for (int i = 0; i < stages - stage; ++i) {
        order.backwardInput(0);
        order.backwardWeight(0);
    }
    for (const int chunk : {1, 0})
        while (order.pendingWeights(chunk) > 0)
            order.backwardWeight(chunk);
}

/// Fewer microbatches than the order needs are its first ones.
ComputeProgram zbV(const ScheduleRequest& request)
{
    const int stages = request.stages;
    ComputeProgram program = vPipeline(request.name, stages, request.microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        StageOrder order(program, stage);
        writeStage(order, stages, stage, std::max(request.microbatches, 2 * stages - 1));
    }
    return program;
}

} // namespace

NamedSchedule zbVSchedule()
{
    ScheduleInfo info;
    info.name = "zb-v";
    info.title = "ZB-V";
    info.source = "Qi et al., Zero Bubble Pipeline Parallelism, 2024";
    info.summary = "Two chunks a stage in a V and a split backward: for equal times a stage never "
                   "idles between its first and last step, with the memory of 1F1B.";
    info.minimumVirtual = info.maximumVirtual = 2;
    info.splitsBackward = true;
    return {info, zbV};
}

} // namespace triaxis
