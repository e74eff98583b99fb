#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

__global__ void embeddingForwardKernel(Global<float> y, Global<const std::int32_t> tokens,
                                       Global<const float> table, Global<const float> position,
                                       std::int64_t time, std::int64_t width,
                                       std::int64_t firstEntry, std::int64_t entries)
{
    const std::int64_t row = blockIdx.x;
    const std::int64_t entry = std::int64_t(tokens[row]) - firstEntry;
    const bool isHere = entry >= 0 && entry < entries;
    for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        float value = 0;
        if (isHere)
            value = table[entry * width + i];
        if (position)
            value += position[row % time * width + i];
        y[row * width + i] = value;
    }
}

/// A block for each row. That of the first row with a token adds all rows with this token in their
/// order; the others find that they are not the first and end. So nothing is added to twice at a
/// time.
__global__ void embeddingBackwardKernel(Global<float> dTable, Global<const float> dY,
                                        Global<const std::int32_t> tokens, std::int64_t rows,
                                        std::int64_t width, std::int64_t firstEntry,
                                        std::int64_t entries)
{
    __shared__ SharedArray<int, threadsOfBlock> same;
    __shared__ SharedArray<int, 32> scratch;
    const std::int64_t row = blockIdx.x;
    const std::int32_t token = tokens[row];
    const std::int64_t entry = std::int64_t(token) - firstEntry;
    if (entry < 0 || entry >= entries)
        return;
    int earlier = 0;
    for (std::int64_t other = threadIdx.x; other < row; other += threadsOfBlock)
        earlier += tokens[other] == token ? 1 : 0;
    if (overBlock(earlier, scratch, Sum()) > 0)
        return;
    for (std::int64_t begin = row; begin < rows; begin += threadsOfBlock) {
        const std::int64_t own = begin + threadIdx.x;
        __syncthreads();
        same[int(threadIdx.x)] = own < rows && tokens[own] == token ? 1 : 0;
        __syncthreads();
        const std::int64_t left = rows - begin;
        const int count = int(left < threadsOfBlock ? left : threadsOfBlock);
        for (int i = 0; i < count; ++i)
            if (same[i] != 0)
                for (std::int64_t column = threadIdx.x; column < width; column += threadsOfBlock)
                    dTable[entry * width + column] += dY[(begin + i) * width + column];
    }
}

/// A block for each position.
__global__ void positionBackwardKernel(Global<float> dPosition, Global<const float> dY,
                                       std::int64_t rows, std::int64_t time, std::int64_t width)
{
    const std::int64_t position = blockIdx.x;
    for (std::int64_t i = threadIdx.x; i < width; i += blockDim.x) {
        float sum = dPosition[position * width + i];
        for (std::int64_t row = position; row < rows; row += time)
            sum += dY[row * width + i];
        dPosition[position * width + i] = sum;
    }
}

} // namespace

void embeddingForward(cudaStream_t stream, float* y, const std::int32_t* tokens, const float* table,
                      const float* position, std::int64_t rows, std::int64_t time,
                      std::int64_t width, std::int64_t firstEntry, std::int64_t entries)
{
    if (rows > 0)
        launch<embeddingForwardKernel>(static_cast<unsigned>(rows), threadsOfBlock, 0, stream, y,
                                       tokens, table, position, time, width, firstEntry, entries);
}

void embeddingBackward(cudaStream_t stream, float* dTable, float* dPosition, const float* dY,
                       const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                       std::int64_t width, std::int64_t firstEntry, std::int64_t entries)
{
    if (rows == 0)
        return;
    if (dTable)
        launch<embeddingBackwardKernel>(static_cast<unsigned>(rows), threadsOfBlock, 0, stream,
                                        dTable, dY, tokens, rows, width, firstEntry, entries);
    const std::int64_t positions = rows < time ? rows : time;
    if (dPosition)
        launch<positionBackwardKernel>(static_cast<unsigned>(positions), threadsOfBlock, 0, stream,
                                       dPosition, dY, rows, time, width);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
