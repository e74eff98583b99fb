#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"
#include "engine/schedule/stage_order.h"

namespace triaxis
{
namespace
{

ComputeProgram loopedBreadthFirst(const ScheduleRequest& request)
{
    const int chunks = request.virtualStages;
    ComputeProgram program =
        loopedPipeline(request.name, request.stages, request.microbatches, chunks);
    for (int stage = 0; stage < request.stages; ++stage) {
        StageOrder order(program, stage);
        for (int chunk = 0; chunk < chunks; ++chunk)
            for (int m = 0; m < request.microbatches; ++m)
                order.forward(chunk);
        for (int chunk = chunks - 1; chunk >= 0; --chunk)
            for (int m = 0; m < request.microbatches; ++m)
                order.backward(chunk);
    }
    return program;
}

} // namespace

NamedSchedule loopedBreadthFirstSchedule()
{
    ScheduleInfo info;
    info.name = "looped-bfs";
    info.title = "Looped breadth-first";
    info.source = "Lamy-Poirier, Breadth-First Pipeline Parallelism, 2023";
    info.summary = "All forwards chunk by chunk, then all backwards chunk by chunk: a small bubble "
                   "and early gradients, and every stage keeps all activations.";
    info.maximumVirtual = maximumChunks;
    return {info, loopedBreadthFirst};
}

} // namespace triaxis
