#include "engine/train/attention.h"

#include "engine/schedule/tensor_parts.h"

#include <cmath>
#include <utility>

namespace triaxis::train
{
namespace
{

/// Where q, k and v lie in the buffer of projections. One fused projection: side by side in each
/// row. Several: one dense matrix after the other.
struct Placement
{
    std::int64_t q = 0, k = 0, v = 0;
    std::int64_t qStride = 0, kvStride = 0;
};

Placement placementOf(const AttentionLayer& layer, std::int64_t rows)
{
    Placement at;
    const bool fused = layer.projections.size() == 1;
    const std::int64_t step = fused ? 1 : rows;
    at.k = layer.queryWidth() * step;
    at.v = (layer.queryWidth() + layer.keyWidth()) * step;
    at.qStride = fused ? layer.projectedWidth() : layer.queryWidth();
    at.kvStride = fused ? layer.projectedWidth() : layer.keyWidth();
    return at;
}

kernels::Attention kernelOf(const AttentionLayer& layer, const MicrobatchShape& shape,
                            const float* projected)
{
    const Placement at = placementOf(layer, shape.rows());
    kernels::Attention attention;
    attention.batch = shape.batch;
    attention.time = shape.time;
    attention.heads = layer.heads;
    attention.kvHeads = layer.kvHeads;
    attention.headSize = layer.headSize;
    attention.scale = 1.0F / std::sqrt(float(layer.headSize));
    attention.q = projected + at.q;
    attention.k = projected + at.k;
    attention.v = projected + at.v;
    attention.qStride = at.qStride;
    attention.kvStride = at.kvStride;
    attention.outStride = layer.queryWidth();
    return attention;
}

void rotate(Compute& compute, const AttentionLayer& layer, const MicrobatchShape& shape,
            float* projected, bool inverse)
{
    if (!layer.ropeTheta)
        return;
    const Placement at = placementOf(layer, shape.rows());
    compute.device.rope(compute.stream, projected + at.q, at.qStride, shape.rows(), shape.time,
                        layer.heads, layer.headSize, *layer.ropeTheta, inverse);
    compute.device.rope(compute.stream, projected + at.k, at.kvStride, shape.rows(), shape.time,
                        layer.kvHeads, layer.headSize, *layer.ropeTheta, inverse);
    compute.tensor.progress();
}

void project(Compute& compute, const AttentionLayer& layer, const MicrobatchShape& shape,
             const float* normed, float* projected)
{
    for (const Linear& linear : layer.projections) {
        linearForwardBias(compute, linear, normed, projected, shape.rows());
        projected += shape.rows() * linear.outputs;
    }
    compute.tensor.progress();
}

void weightGradients(Compute& compute, const AttentionLayer& layer, std::int64_t rows,
                     const AttentionSaved& saved, const float* outputGradient,
                     const float* projectedGradient)
{
    linearBackwardWeight(compute, layer.output, saved.attended.floats(), outputGradient,
                         layer.output.outputs, rows);
    linearBackwardBias(compute, layer.output, outputGradient, rows);
    for (const Linear& linear : layer.projections) {
        linearBackwardWeight(compute, linear, saved.normed.floats(), projectedGradient,
                             linear.outputs, rows);
        linearBackwardBias(compute, linear, projectedGradient, rows);
        projectedGradient += rows * linear.outputs;
    }
}

kernels::Buffer projectedGradientOf(Compute& compute, const AttentionLayer& layer,
                                    const MicrobatchShape& shape, const float* dX,
                                    const AttentionSaved& saved)
{
    const std::int64_t rows = shape.rows();
    kernels::Buffer dAttended = compute.workspace(rows * layer.queryWidth());
    linearBackwardInput(compute, layer.output, dX, layer.output.outputs, dAttended.floats(), rows,
                        0.0F);
    kernels::Buffer dProjected = compute.activations(rows * layer.projectedWidth());
    const Placement at = placementOf(layer, rows);
    float* gradient = dProjected.floats();
    compute.device.attentionBackward(
        compute.stream, kernelOf(layer, shape, saved.projected.floats()), gradient + at.q,
        gradient + at.k, gradient + at.v, dAttended.floats(), saved.attended.floats(),
        saved.logSumExp.floats());
    compute.tensor.progress();
    rotate(compute, layer, shape, gradient, true);
    return dProjected;
}

} // namespace

kernels::Buffer attentionForward(Compute& compute, const AttentionLayer& layer,
                                 const MicrobatchShape& shape, kernels::Buffer x,
                                 AttentionSaved& saved)
{
    const std::int64_t rows = shape.rows();
    const std::int64_t width = layer.norm.width();
    saved.normed = compute.activations(rows * width);
    normForward(compute, layer.norm, saved.normed.floats(), saved.norm, x.floats(), rows);

    saved.projected = compute.activations(rows * layer.projectedWidth());
    project(compute, layer, shape, saved.normed.floats(), saved.projected.floats());
    rotate(compute, layer, shape, saved.projected.floats(), false);

    saved.attended = compute.activations(rows * layer.queryWidth());
    saved.logSumExp = compute.activations(rows * layer.heads);
    compute.device.attentionForward(compute.stream,
                                    kernelOf(layer, shape, saved.projected.floats()),
                                    saved.attended.floats(), saved.logSumExp.floats());
    compute.tensor.progress();

    kernels::Buffer y = compute.activations(rows * width);
    linearForward(compute, layer.output, saved.attended.floats(), y.floats(), width, rows);
    compute.tensor.allReduce(y.floats(), rows * width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::AttentionOutput, layer.layer));
    compute.device.addResidual(compute.stream, y.floats(), x.floats(), layer.output.bias.value,
                               rows, width);
    saved.x = std::move(x);
    return y;
}

void attentionBackward(Compute& compute, const AttentionLayer& layer, const MicrobatchShape& shape,
                       float* dX, AttentionSaved& saved, WeightGradients weights)
{
    const std::int64_t rows = shape.rows();
    const std::int64_t width = layer.norm.width();
    kernels::Buffer dProjected = projectedGradientOf(compute, layer, shape, dX, saved);
    saved.projected.reset();
    saved.logSumExp.reset();

    kernels::Buffer dNormed = compute.workspace(rows * width);
    const float* gradient = dProjected.floats();
    float beta = 0;
    for (const Linear& linear : layer.projections) {
        linearBackwardInput(compute, linear, gradient, linear.outputs, dNormed.floats(), rows,
                            beta);
        gradient += rows * linear.outputs;
        beta = 1;
    }
    PendingCollective sum =
        compute.tensor.start(dNormed.floats(), rows * width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::AttentionGradient, layer.layer));
    switch (weights) {
    case WeightGradients::Now:
        weightGradients(compute, layer, rows, saved, dX, dProjected.floats());
        saved.normed.reset();
        saved.attended.reset();
        break;
    case WeightGradients::Later:
        saved.outputGradient = compute.activations(rows * width);
        compute.device.copy(compute.stream, saved.outputGradient.floats(), dX, rows * width);
        saved.projectedGradient = std::move(dProjected);
        break;
    }
    compute.tensor.finish(sum);
    normBackward(compute, layer.norm, dX, dNormed.floats(), saved.x.floats(), saved.norm, rows);
    saved.x.reset();
    saved.norm = {};
}

void attentionBackwardWeight(Compute& compute, const AttentionLayer& layer,
                             const MicrobatchShape& shape, AttentionSaved& saved)
{
    weightGradients(compute, layer, shape.rows(), saved, saved.outputGradient.floats(),
                    saved.projectedGradient.floats());
    saved = {};
}

} // namespace triaxis::train
