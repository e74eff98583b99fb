#pragma once

#include "engine/train/compute.h"

namespace triaxis::train
{

enum class NormKind { LayerNorm, RmsNorm };

/// Normalisation over the hidden width; whole on every tensor rank.
struct Norm
{
    NormKind kind = NormKind::LayerNorm;
    Parameter weight;
    Parameter bias; ///< LayerNorm only
    float epsilon = 0;

    std::int64_t width() const { return weight.count; }
};

/// Row statistics [rows] that the backward needs.
struct NormSaved
{
    kernels::Buffer mean; ///< LayerNorm only
    kernels::Buffer rstd;
};

/// y = norm(x), both [rows, width].
void normForward(Compute& compute, const Norm& norm, float* y, NormSaved& saved, const float* x,
                 std::int64_t rows);
/// dX += …, and the gradients of the norm's own weights.
void normBackward(Compute& compute, const Norm& norm, float* dX, const float* dY, const float* x,
                  const NormSaved& saved, std::int64_t rows);

} // namespace triaxis::train
