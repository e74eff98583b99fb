#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{

ComputeProgram gpipe(int stages, int microbatches)
{
    ComputeProgram program = straightPipeline("gpipe", stages, microbatches);
    for (std::vector<ComputeStep>& order : program.order) {
        for (int m = 0; m < microbatches; ++m)
            order.push_back({Kind::Forward, Chunk(0), Microbatch(m)});
        for (int m = 0; m < microbatches; ++m)
            order.push_back({Kind::Backward, Chunk(0), Microbatch(m)});
    }
    return program;
}

NamedSchedule gpipeSchedule()
{
    ScheduleInfo info;
    info.name = "gpipe";
    info.title = "GPipe";
    info.source = "Huang et al., GPipe, 2019";
    info.summary = "All forwards, then all backwards: the simplest order, and every stage keeps "
                   "the activations of all microbatches.";
    return {info, [](const ScheduleRequest& request) {
                return gpipe(request.stages, request.microbatches);
            }};
}

} // namespace triaxis
