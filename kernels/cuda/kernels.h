#pragma once

// What the kernels do: one function for each, sizes and stream explicit. Shapes and meanings are
// those of the operations of Device (kernels/device.h); workspaces are named with their sizes.

#include "kernels/device.h"

#include <cuda_runtime.h>

#include <cstdint>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

void fill(cudaStream_t, float* to, float value, std::int64_t count);
void add(cudaStream_t, float* to, const float* from, std::int64_t count);
void scale(cudaStream_t, float* values, float factor, std::int64_t count);
void addBias(cudaStream_t, float* y, const float* bias, std::int64_t rows, std::int64_t width);
/// to[c] += Σ_r from[r, c], in a fixed order.
void addColumnSums(cudaStream_t, float* to, const float* from, std::int64_t rows,
                   std::int64_t width);
void addResidual(cudaStream_t, float* x, const float* branch, const float* bias, std::int64_t rows,
                 std::int64_t width);

void geluForward(cudaStream_t, float* y, float* x, const float* bias, std::int64_t rows,
                 std::int64_t width);
void geluBackward(cudaStream_t, float* dX, const float* dY, const float* x, std::int64_t count);
void swigluForward(cudaStream_t, float* y, const float* gate, const float* up, std::int64_t count);
void swigluBackward(cudaStream_t, float* dGate, float* dUp, const float* dY, const float* gate,
                    const float* up, std::int64_t count);

/// Rows of dWeight that a block of the backward of a norm sums by itself.
inline constexpr std::int64_t normRowsOfBlock = 32;
/// mean and bias are null for RMSNorm.
void normForward(cudaStream_t, float* y, float* mean, float* rstd, const float* x,
                 const float* weight, const float* bias, float epsilon, std::int64_t rows,
                 std::int64_t width);
/// dX += …; partialWeight and partialBias [⌈rows / normRowsOfBlock⌉, width] are written; mean and
/// partialBias are null for RMSNorm.
void normBackward(cudaStream_t, float* dX, float* partialWeight, float* partialBias,
                  const float* dY, const float* x, const float* weight, const float* mean,
                  const float* rstd, std::int64_t rows, std::int64_t width);

/// cosines and sines [time, headSize / 2].
void rotaryTable(cudaStream_t, float* cosines, float* sines, std::int64_t time, int headSize,
                 float theta);
void rope(cudaStream_t, float* x, const float* cosines, const float* sines, std::int64_t stride,
          std::int64_t rows, std::int64_t time, int heads, int headSize, bool inverse);

/// to[r, c] = from[r, c] rounded to bfloat16, to the nearest, ties to even; strides in elements.
void roundToBfloat16(cudaStream_t, std::uint16_t* to, const float* from, std::int64_t rows,
                     std::int64_t columns, std::int64_t toStride, std::int64_t fromStride);

/// The largest head size that the attention kernels have shared memory for.
inline constexpr int largestHeadSize = 256;
void attentionForward(cudaStream_t, const Attention&, float* out, float* logSumExp);
/// dots [batch, heads, time] is workspace.
void attentionBackward(cudaStream_t, const Attention&, float* dQ, float* dK, float* dV,
                       const float* dOut, const float* out, const float* logSumExp, float* dots);

void embeddingForward(cudaStream_t, float* y, const std::int32_t* tokens, const float* table,
                      const float* position, std::int64_t rows, std::int64_t time,
                      std::int64_t width, std::int64_t firstEntry, std::int64_t entries);
void embeddingBackward(cudaStream_t, float* dTable, float* dPosition, const float* dY,
                       const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                       std::int64_t width, std::int64_t firstEntry, std::int64_t entries);

void rowMaximum(cudaStream_t, float* maximum, const float* logits, std::int64_t rows,
                std::int64_t entries, std::int64_t stride);
void exponentialSums(cudaStream_t, float* sums, float* logits, const float* maximum,
                     const std::int32_t* targets, std::int64_t rows, std::int64_t entries,
                     std::int64_t stride, std::int64_t firstEntry);
/// total, one double of the device, is added to.
void crossEntropySum(cudaStream_t, double* total, const float* sums, std::int64_t rows);
void crossEntropyGradient(cudaStream_t, float* logits, const float* sums,
                          const std::int32_t* targets, float factor, std::int64_t rows,
                          std::int64_t entries, std::int64_t stride, std::int64_t firstEntry);

/// Doubles of workspace that the sums below need.
inline constexpr int reductionBlocks = 256;
/// total, one double of the device, is added to; partial [reductionBlocks].
void sumOfSquares(cudaStream_t, double* total, double* partial, const float* x, std::int64_t count);
/// The same with how many are not finite.
void countNotFinite(cudaStream_t, double* total, double* partial, const float* x,
                    std::int64_t count);
void clipFactor(cudaStream_t, float* factor, const double* squaredNorm, double clipNorm);
void adamW(cudaStream_t, float* weight, float* m, float* v, const float* gradient,
           const AdamW& settings, std::int64_t count);

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
