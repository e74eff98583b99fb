#include "engine/schedule/generators.h"

#include "engine/schedule/compute_program.h"

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

} // namespace triaxis
