#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"

#include <algorithm>

namespace triaxis
{

ComputeProgram oneForwardOneBackward(int stages, int microbatches)
{
    ComputeProgram program = straightPipeline("1f1b", stages, microbatches);
    for (int stage = 0; stage < stages; ++stage) {
        std::vector<ComputeStep>& order = program.order[stage];
        const int warmUp = std::min(stages - 1 - stage, microbatches);
        int forwards = 0;
        int backwards = 0;
        while (forwards < warmUp)
            order.push_back({Kind::Forward, Chunk(0), Microbatch(forwards++)});
        while (forwards < microbatches) {
            order.push_back({Kind::Forward, Chunk(0), Microbatch(forwards++)});
            order.push_back({Kind::Backward, Chunk(0), Microbatch(backwards++)});
        }
        while (backwards < microbatches)
            order.push_back({Kind::Backward, Chunk(0), Microbatch(backwards++)});
    }
    return program;
}

NamedSchedule oneForwardOneBackwardSchedule()
{
    ScheduleInfo info;
    info.name = "1f1b";
    info.title = "1F1B";
    info.source = "Narayanan et al., PipeDream-flush, 2021";
    info.summary = "One forward and one backward in turn: as idle as GPipe, but stage r keeps the "
                   "activations of at most P - r microbatches.";
    return {info, [](const ScheduleRequest& request) {
                return oneForwardOneBackward(request.stages, request.microbatches);
            }};
}

} // namespace triaxis
