#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

#include <cstring>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

/// The upper half of a float32. What is no number stays none.
__device__ std::uint16_t bfloat16Of(float value)
{
    std::uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return static_cast<std::uint16_t>(bits >> 16 | 0x40u);
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

__global__ void roundToBfloat16Kernel(Global<std::uint16_t> to, Global<const float> from,
                                      std::int64_t count, std::int64_t columns,
                                      std::int64_t toStride, std::int64_t fromStride)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const std::int64_t row = i / columns, column = i % columns;
        const float value = from[row * fromStride + column];
        to[row * toStride + column] = bfloat16Of(value);
    }
}

} // namespace

void roundToBfloat16(cudaStream_t stream, std::uint16_t* to, const float* from, std::int64_t rows,
                     std::int64_t columns, std::int64_t toStride, std::int64_t fromStride)
{
    const std::int64_t count = rows * columns;
    if (count > 0)
        launch<roundToBfloat16Kernel>(blocksFor(count), threadsOfBlock, 0, stream, to, from, count,
                                      columns, toStride, fromStride);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
