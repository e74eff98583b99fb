#pragma once

#include "engine/train/compute.h"

namespace triaxis::train
{

/// How a weight lies in memory, Hugging Face's own way: GPT-2 (Conv1D) [in, out], Llama [out, in].
enum class WeightOrder { InputMajor, OutputMajor };

/// One rank's share of a linear layer. Column-parallel: `outputs` is the rank's share;
/// row-parallel: `inputs` is, and the bias, added once after the all-reduce, is whole on every
/// rank.
struct Linear
{
    Parameter weight;
    Parameter bias; ///< absent in most Llama layers
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    WeightOrder order = WeightOrder::InputMajor;
};

/// y[rows, outputs] = x[rows, inputs]·W, without the bias. Strides in elements; `yStride` may
/// exceed `outputs`.
void linearForward(Compute& compute, const Linear& linear, const float* x, float* y,
                   std::int64_t yStride, std::int64_t rows);

/// y[rows, outputs] = x·W + b, where there is a bias.
void linearForwardBias(Compute& compute, const Linear& linear, const float* x, float* y,
                       std::int64_t rows);
/// The same, and activated = gelu(y).
void linearForwardGelu(Compute& compute, const Linear& linear, const float* x, float* y,
                       float* activated, std::int64_t rows);

/// dX[rows, inputs] = dY·Wᵀ + beta·dX.
void linearBackwardInput(Compute& compute, const Linear& linear, const float* dY,
                         std::int64_t dYStride, float* dX, std::int64_t rows, float beta);

/// dW += xᵀ·dY.
void linearBackwardWeight(Compute& compute, const Linear& linear, const float* x, const float* dY,
                          std::int64_t dYStride, std::int64_t rows);

/// dBias += Σ over rows of dY [rows, outputs], where there is a bias.
void linearBackwardBias(Compute& compute, const Linear& linear, const float* dY, std::int64_t rows);

} // namespace triaxis::train
