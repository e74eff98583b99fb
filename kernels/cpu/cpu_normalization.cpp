#include "kernels/cpu/cpu_device.h"

#include <algorithm>

namespace triaxis::kernels::cpu
{

namespace
{

/// Gradients of weights are summed within blocks of this many rows, then over the blocks in order:
/// the same sums for any number of threads.
constexpr std::int64_t rowsOfBlock = 32;

std::int64_t blockCount(std::int64_t rows)
{
    return (rows + rowsOfBlock - 1) / rowsOfBlock;
}

} // namespace

void CpuDevice::layerNormForward(Stream&, float* y, float* mean, float* rstd, const float* x,
                                 const float* weight, const float* bias, float epsilon,
                                 std::int64_t rows, std::int64_t width)
{
    forRange(rows, 2 * width, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.layerNormForward(y + begin * width, mean + begin, rstd + begin, x + begin * width,
                                   weight, bias, epsilon, end - begin, width);
    });
}

void CpuDevice::layerNormBackward(Stream& stream, float* dX, float* dWeight, float* dBias,
                                  const float* dY, const float* x, const float* weight,
                                  const float* mean, const float* rstd, std::int64_t rows,
                                  std::int64_t width)
{
    const std::int64_t blocks = blockCount(rows);
    const Buffer partial = allocateFloats(2 * blocks * width, MemoryUse::Workspace);
    float* const weights = partial.floats();
    float* const biases = weights + blocks * width;
    m_pool.runRanges(rows, rowsOfBlock, [&](std::int64_t begin, std::int64_t end, int) {
        float* const ofWeight = weights + begin / rowsOfBlock * width;
        float* const ofBias = biases + begin / rowsOfBlock * width;
        std::fill_n(ofWeight, width, 0.0f);
        std::fill_n(ofBias, width, 0.0f);
        m_kernels.layerNormBackward(dX + begin * width, ofWeight, ofBias, dY + begin * width,
                                    x + begin * width, weight, mean + begin, rstd + begin,
                                    end - begin, width);
    });
    biasGradient(stream, dWeight, weights, blocks, width);
    biasGradient(stream, dBias, biases, blocks, width);
}

void CpuDevice::rmsNormForward(Stream&, float* y, float* rstd, const float* x, const float* weight,
                               float epsilon, std::int64_t rows, std::int64_t width)
{
    forRange(rows, 2 * width, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.rmsNormForward(y + begin * width, rstd + begin, x + begin * width, weight,
                                 epsilon, end - begin, width);
    });
}

void CpuDevice::rmsNormBackward(Stream& stream, float* dX, float* dWeight, const float* dY,
                                const float* x, const float* weight, const float* rstd,
                                std::int64_t rows, std::int64_t width)
{
    const std::int64_t blocks = blockCount(rows);
    const Buffer partial = allocateFloats(blocks * width, MemoryUse::Workspace);
    m_pool.runRanges(rows, rowsOfBlock, [&](std::int64_t begin, std::int64_t end, int) {
        float* const ofWeight = partial.floats() + begin / rowsOfBlock * width;
        std::fill_n(ofWeight, width, 0.0f);
        m_kernels.rmsNormBackward(dX + begin * width, ofWeight, dY + begin * width,
                                  x + begin * width, weight, rstd + begin, end - begin, width);
    });
    biasGradient(stream, dWeight, partial.floats(), blocks, width);
}

} // namespace triaxis::kernels::cpu
