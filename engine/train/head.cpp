#include "engine/train/head.h"

#include "engine/schedule/tensor_parts.h"

#include <algorithm>
#include <utility>

namespace triaxis::train
{
namespace
{

/// Rows of logits start on a cache line. A tensor rank may hold no entry at all.
std::int64_t logitStride(const HeadLayer& layer)
{
    return std::max<std::int64_t>(16, (layer.projection.outputs + 15) / 16 * 16);
}

/// logits → exponentials, with the sums of each row over the whole vocabulary.
void softmaxSums(Compute& compute, const HeadLayer& layer, std::int64_t rows,
                 const std::int32_t* targets, HeadSaved& saved)
{
    const std::int64_t entries = layer.projection.outputs;
    const std::int64_t stride = logitStride(layer);
    kernels::Buffer maximum = compute.workspace(rows);
    compute.device.rowMaximum(compute.stream, maximum.floats(), saved.logits.floats(), rows,
                              entries, stride);
    compute.tensor.allReduce(maximum.floats(), rows, kernels::Reduction::Maximum,
                             tensorPart(TensorPosition::HeadMaximum));
    saved.sums = compute.activations(2 * rows);
    compute.device.exponentialSums(compute.stream, saved.sums.floats(), saved.logits.floats(),
                                   maximum.floats(), targets, rows, entries, stride,
                                   layer.firstEntry);
    compute.tensor.allReduce(saved.sums.floats(), 2 * rows, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::HeadSums));
}

} // namespace

void headForward(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                 kernels::Buffer x, const std::int32_t* targets, HeadSaved& saved, double* lossSum)
{
    const std::int64_t rows = shape.rows();
    saved.normed = compute.activations(rows * layer.norm.width());
    normForward(compute, layer.norm, saved.normed.floats(), saved.norm, x.floats(), rows);
    saved.x = std::move(x);

    saved.logits = compute.activations(rows * logitStride(layer));
    linearForward(compute, layer.projection, saved.normed.floats(), saved.logits.floats(),
                  logitStride(layer), rows);
    softmaxSums(compute, layer, rows, targets, saved);
    if (lossSum)
        compute.device.addCrossEntropySum(compute.stream, lossSum, saved.sums.floats(), rows);
    compute.tensor.progress();
}

kernels::Buffer headBackward(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                             const std::int32_t* targets, float factor, HeadSaved& saved,
                             WeightGradients weights)
{
    const std::int64_t rows = shape.rows();
    const std::int64_t width = layer.norm.width();
    compute.device.crossEntropyGradient(compute.stream, saved.logits.floats(), saved.sums.floats(),
                                        targets, factor, rows, layer.projection.outputs,
                                        logitStride(layer), layer.firstEntry);
    compute.tensor.progress();

    kernels::Buffer dNormed = compute.workspace(rows * width);
    linearBackwardInput(compute, layer.projection, saved.logits.floats(), logitStride(layer),
                        dNormed.floats(), rows, 0.0F);
    PendingCollective sum =
        compute.tensor.start(dNormed.floats(), rows * width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::HeadGradient));
    if (weights == WeightGradients::Now)
        headBackwardWeight(compute, layer, shape, saved);
    compute.tensor.finish(sum);

    kernels::Buffer dX = compute.activations(rows * width);
    compute.device.fill(compute.stream, dX.floats(), 0.0F, rows * width);
    normBackward(compute, layer.norm, dX.floats(), dNormed.floats(), saved.x.floats(), saved.norm,
                 rows);
    saved.x.reset();
    saved.norm = {};
    saved.sums.reset();
    return dX;
}

void headBackwardWeight(Compute& compute, const HeadLayer& layer, const MicrobatchShape& shape,
                        HeadSaved& saved)
{
    linearBackwardWeight(compute, layer.projection, saved.normed.floats(), saved.logits.floats(),
                         logitStride(layer), shape.rows());
    saved.normed.reset();
    saved.logits.reset();
}

} // namespace triaxis::train
