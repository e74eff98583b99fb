#include "engine/schedule/generators.h"

#include "engine/schedule/compute_program.h"

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

} // namespace triaxis
