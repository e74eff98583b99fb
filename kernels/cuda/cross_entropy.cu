#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

#include <cmath>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

// A block does a row.

__global__ void rowMaximumKernel(Global<float> maximum, Global<const float> logits,
                                 std::int64_t entries, std::int64_t stride)
{
    __shared__ SharedArray<float, 32> scratch;
    const std::int64_t row = blockIdx.x;
    float greatest = -INFINITY;
    for (std::int64_t i = threadIdx.x; i < entries; i += blockDim.x)
        greatest = Greater()(logits[row * stride + i], greatest);
    greatest = overBlock(greatest, scratch, Greater());
    if (threadIdx.x == 0)
        maximum[row] = greatest;
}

__global__ void exponentialSumsKernel(Global<float> sums, Global<float> logits,
                                      Global<const float> maximum,
                                      Global<const std::int32_t> targets, std::int64_t entries,
                                      std::int64_t stride, std::int64_t firstEntry)
{
    __shared__ SharedArray<float, 32> scratch;
    const std::int64_t row = blockIdx.x;
    const float greatest = maximum[row];
    const std::int64_t target = std::int64_t(targets[row]) - firstEntry;
    float sum = 0;
    if (threadIdx.x == 0)
        sums[2 * row + 1] = 0;
    for (std::int64_t i = threadIdx.x; i < entries; i += blockDim.x) {
        const float distance = logits[row * stride + i] - greatest;
        const float value = expf(distance);
        if (i == target)
            sums[2 * row] = distance; // from where thread 0 takes it below
        logits[row * stride + i] = value;
        sum += value;
    }
    sum = overBlock(sum, scratch, Sum()); // with barriers
    if (threadIdx.x == 0) {
        if (target >= 0 && target < entries)
            sums[2 * row + 1] = sums[2 * row];
        sums[2 * row] = sum;
    }
}

/// One block; each thread takes every 256th row.
__global__ void crossEntropySumKernel(Global<double> to, Global<const float> sums,
                                      std::int64_t rows)
{
    __shared__ SharedArray<double, 32> scratch;
    double total = 0;
    for (std::int64_t row = threadIdx.x; row < rows; row += blockDim.x)
        total += log(double(sums[2 * row])) - double(sums[2 * row + 1]);
    total = overBlock(total, scratch, Sum());
    if (threadIdx.x == 0)
        to[0] += total;
}

__global__ void crossEntropyGradientKernel(Global<float> logits, Global<const float> sums,
                                           Global<const std::int32_t> targets, float factor,
                                           std::int64_t entries, std::int64_t stride,
                                           std::int64_t firstEntry)
{
    const std::int64_t row = blockIdx.x;
    const std::int64_t target = std::int64_t(targets[row]) - firstEntry;
    const float share = factor / sums[2 * row];
    for (std::int64_t i = threadIdx.x; i < stride; i += blockDim.x) {
        float value = 0;
        if (i < entries) {
            value = logits[row * stride + i] * share;
            if (i == target)
                value -= factor;
        }
        logits[row * stride + i] = value;
    }
}

} // namespace

void rowMaximum(cudaStream_t stream, float* maximum, const float* logits, std::int64_t rows,
                std::int64_t entries, std::int64_t stride)
{
    if (rows > 0)
        launch<rowMaximumKernel>(static_cast<unsigned>(rows), threadsOfBlock, 0, stream, maximum,
                                 logits, entries, stride);
}

void exponentialSums(cudaStream_t stream, float* sums, float* logits, const float* maximum,
                     const std::int32_t* targets, std::int64_t rows, std::int64_t entries,
                     std::int64_t stride, std::int64_t firstEntry)
{
    if (rows > 0)
        launch<exponentialSumsKernel>(static_cast<unsigned>(rows), threadsOfBlock, 0, stream, sums,
                                      logits, maximum, targets, entries, stride, firstEntry);
}

void crossEntropySum(cudaStream_t stream, double* total, const float* sums, std::int64_t rows)
{
    launch<crossEntropySumKernel>(1, threadsOfBlock, 0, stream, total, sums, rows);
}

void crossEntropyGradient(cudaStream_t stream, float* logits, const float* sums,
                          const std::int32_t* targets, float factor, std::int64_t rows,
                          std::int64_t entries, std::int64_t stride, std::int64_t firstEntry)
{
    if (rows > 0)
        launch<crossEntropyGradientKernel>(static_cast<unsigned>(rows), threadsOfBlock, 0, stream,
                                           logits, sums, targets, factor, entries, stride,
                                           firstEntry);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
