#include "engine/train/norm.h"

namespace triaxis::train
{

void normForward(Compute& compute, const Norm& norm, float* y, NormSaved& saved, const float* x,
                 std::int64_t rows)
{
    saved.rstd = compute.activations(rows);
    switch (norm.kind) {
    case NormKind::LayerNorm:
        saved.mean = compute.activations(rows);
        compute.device.layerNormForward(compute.stream, y, saved.mean.floats(), saved.rstd.floats(),
                                        x, norm.weight.value, norm.bias.value, norm.epsilon, rows,
                                        norm.width());
        break;
    case NormKind::RmsNorm:
        compute.device.rmsNormForward(compute.stream, y, saved.rstd.floats(), x, norm.weight.value,
                                      norm.epsilon, rows, norm.width());
        break;
    }
    compute.tensor.progress();
}

void normBackward(Compute& compute, const Norm& norm, float* dX, const float* dY, const float* x,
                  const NormSaved& saved, std::int64_t rows)
{
    clearUnlessStarted(compute, norm.weight);
    switch (norm.kind) {
    case NormKind::LayerNorm:
        clearUnlessStarted(compute, norm.bias);
        compute.device.layerNormBackward(
            compute.stream, dX, norm.weight.gradient, norm.bias.gradient, dY, x, norm.weight.value,
            saved.mean.floats(), saved.rstd.floats(), rows, norm.width());
        break;
    case NormKind::RmsNorm:
        compute.device.rmsNormBackward(compute.stream, dX, norm.weight.gradient, dY, x,
                                       norm.weight.value, saved.rstd.floats(), rows, norm.width());
        break;
    }
    compute.tensor.progress();
}

} // namespace triaxis::train
