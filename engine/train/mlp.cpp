#include "engine/train/mlp.h"

#include "engine/schedule/tensor_parts.h"

#include <utility>

namespace triaxis::train
{
namespace
{

/// normed → inner → activated
void innerForward(Compute& compute, const MlpLayer& layer, std::int64_t rows, MlpSaved& saved)
{
    const std::int64_t width = layer.innerWidth();
    const float* const normed = saved.normed.floats();
    float* const inner = saved.inner.floats();
    switch (layer.activation) {
    case Activation::Gelu:
        linearForwardGelu(compute, layer.inputs[0], normed, inner, saved.activated.floats(), rows);
        break;
    case Activation::SwiGlu:
        for (std::size_t i = 0; i < layer.inputs.size(); ++i)
            linearForwardBias(compute, layer.inputs[i], normed,
                              inner + std::int64_t(i) * rows * width, rows);
        compute.device.swigluForward(compute.stream, saved.activated.floats(), inner,
                                     inner + rows * width, rows * width);
        break;
    }
    compute.tensor.progress();
}

/// Gradient before the activation, in the form of MlpSaved::inner.
kernels::Buffer innerGradientOf(Compute& compute, const MlpLayer& layer, std::int64_t rows,
                                const float* dX, const MlpSaved& saved)
{
    const std::int64_t count = rows * layer.innerWidth();
    kernels::Buffer dActivated = compute.activations(count);
    linearBackwardInput(compute, layer.output, dX, layer.output.outputs, dActivated.floats(), rows,
                        0.0F);
    const float* inner = saved.inner.floats();
    switch (layer.activation) {
    case Activation::Gelu:
        compute.device.geluBackward(compute.stream, dActivated.floats(), dActivated.floats(), inner,
                                    count);
        break;
    case Activation::SwiGlu: {
        kernels::Buffer dInner = compute.activations(2 * count);
        compute.device.swigluBackward(compute.stream, dInner.floats(), dInner.floats() + count,
                                      dActivated.floats(), inner, inner + count, count);
        dActivated = std::move(dInner);
        break;
    }
    }
    compute.tensor.progress();
    return dActivated;
}

void weightGradients(Compute& compute, const MlpLayer& layer, std::int64_t rows,
                     const MlpSaved& saved, const float* outputGradient, const float* innerGradient)
{
    linearBackwardWeight(compute, layer.output, saved.activated.floats(), outputGradient,
                         layer.output.outputs, rows);
    linearBackwardBias(compute, layer.output, outputGradient, rows);
    for (const Linear& linear : layer.inputs) {
        linearBackwardWeight(compute, linear, saved.normed.floats(), innerGradient, linear.outputs,
                             rows);
        linearBackwardBias(compute, linear, innerGradient, rows);
        innerGradient += rows * linear.outputs;
    }
}

} // namespace

kernels::Buffer mlpForward(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape,
                           kernels::Buffer x, MlpSaved& saved)
{
    const std::int64_t rows = shape.rows();
    const std::int64_t width = layer.norm.width();
    saved.normed = compute.activations(rows * width);
    normForward(compute, layer.norm, saved.normed.floats(), saved.norm, x.floats(), rows);

    saved.inner =
        compute.activations(rows * layer.innerWidth() * std::int64_t(layer.inputs.size()));
    saved.activated = compute.activations(rows * layer.innerWidth());
    innerForward(compute, layer, rows, saved);

    kernels::Buffer y = compute.activations(rows * width);
    linearForward(compute, layer.output, saved.activated.floats(), y.floats(), width, rows);
    compute.tensor.allReduce(y.floats(), rows * width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::MlpOutput, layer.layer));
    compute.device.addResidual(compute.stream, y.floats(), x.floats(), layer.output.bias.value,
                               rows, width);
    saved.x = std::move(x);
    return y;
}

void mlpBackward(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape, float* dX,
                 MlpSaved& saved, WeightGradients weights)
{
    const std::int64_t rows = shape.rows();
    const std::int64_t width = layer.norm.width();
    kernels::Buffer dInner = innerGradientOf(compute, layer, rows, dX, saved);
    saved.inner.reset();

    kernels::Buffer dNormed = compute.workspace(rows * width);
    const float* gradient = dInner.floats();
    float beta = 0;
    for (const Linear& linear : layer.inputs) {
        linearBackwardInput(compute, linear, gradient, linear.outputs, dNormed.floats(), rows,
                            beta);
        gradient += rows * linear.outputs;
        beta = 1;
    }
    PendingCollective sum =
        compute.tensor.start(dNormed.floats(), rows * width, kernels::Reduction::Sum,
                             tensorPart(TensorPosition::MlpGradient, layer.layer));
    switch (weights) {
    case WeightGradients::Now:
        weightGradients(compute, layer, rows, saved, dX, dInner.floats());
        saved.normed.reset();
        saved.activated.reset();
        break;
    case WeightGradients::Later:
        saved.outputGradient = compute.activations(rows * width);
        compute.device.copy(compute.stream, saved.outputGradient.floats(), dX, rows * width);
        saved.innerGradient = std::move(dInner);
        break;
    }
    compute.tensor.finish(sum);
    normBackward(compute, layer.norm, dX, dNormed.floats(), saved.x.floats(), saved.norm, rows);
    saved.x.reset();
    saved.norm = {};
}

void mlpBackwardWeight(Compute& compute, const MlpLayer& layer, const MicrobatchShape& shape,
                       MlpSaved& saved)
{
    weightGradients(compute, layer, shape.rows(), saved, saved.outputGradient.floats(),
                    saved.innerGradient.floats());
    saved = {};
}

} // namespace triaxis::train
