#include "engine/train/embedding.h"

#include "engine/schedule/tensor_parts.h"

namespace triaxis::train
{

kernels::Buffer embeddingForward(Compute& compute, const EmbeddingLayer& layer,
                                 const MicrobatchShape& shape, const std::int32_t* tokens)
{
    const std::int64_t rows = shape.rows();
    kernels::Buffer x = compute.activations(rows * layer.width);
    // The positions are whole on every tensor rank and must enter the sum once.
    const float* positions = compute.tensor.rank() == 0 ? layer.positions.value : nullptr;
    compute.device.embeddingForward(compute.stream, x.floats(), tokens, layer.table.value,
                                    positions, rows, shape.time, layer.width, layer.firstEntry,
                                    layer.entries);
    compute.tensor.allReduce(x.floats(), rows * layer.width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::Embedding));
    return x;
}

void embeddingBackward(Compute& compute, const EmbeddingLayer& layer, const MicrobatchShape& shape,
                       const float* dX, const std::int32_t* tokens)
{
    clearUnlessStarted(compute, layer.table);
    if (layer.positions)
        clearUnlessStarted(compute, layer.positions);
    compute.device.embeddingBackward(compute.stream, layer.table.gradient, layer.positions.gradient,
                                     dX, tokens, shape.rows(), shape.time, layer.width,
                                     layer.firstEntry, layer.entries);
    compute.tensor.progress();
}

} // namespace triaxis::train
