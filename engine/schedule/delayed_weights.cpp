#include "engine/schedule/delayed_weights.h"

#include "engine/schedule/stage_order.h"

namespace triaxis
{

void delayWeights(ComputeProgram& program, int stage, int warmUp, int lag)
{
    const int microbatches = program.microbatches;
    StageOrder order(program, stage);
    for (int m = 0; m < warmUp && m < microbatches; ++m)
        order.forward(0);
    for (int m = 0; m < microbatches; ++m) {
        order.backwardInput(0);
        if (m >= lag)
            order.backwardWeight();
        if (order.forwards(0) < microbatches)
            order.forward(0);
    }
    while (order.pendingWeights() > 0)
        order.backwardWeight();
}

} // namespace triaxis
