#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

/// A block does a row. LayerNorm (Ba et al., equation 4) where there is a mean, else RMSNorm (Zhang
/// and Sennrich, equation 4).
__global__ void normForwardKernel(Global<float> y, Global<float> mean, Global<float> rstd,
                                  Global<const float> x, Global<const float> weight,
                                  Global<const float> bias, float epsilon, std::int64_t width)
{
    __shared__ SharedArray<float, 32> scratch;
    const std::int64_t row = blockIdx.x;
    const std::int64_t first = row * width;
    const float share = 1.0f / float(width);
    const int step = int(blockDim.x);
    float average = 0;
    if (mean) {
        float sum = 0;
        for (std::int64_t i = threadIdx.x; i < width; i += step)
            sum += x[first + i];
        average = overBlock(sum, scratch, Sum()) * share;
    }
    float squares = 0;
    for (std::int64_t i = threadIdx.x; i < width; i += step) {
        const float distance = x[first + i] - average;
        squares += distance * distance;
    }
    const float scaling = 1.0f / sqrtf(overBlock(squares, scratch, Sum()) * share + epsilon);
    for (std::int64_t i = threadIdx.x; i < width; i += step) {
        float value = (x[first + i] - average) * scaling * weight[i];
        if (bias)
            value += bias[i];
        y[first + i] = value;
    }
    if (threadIdx.x == 0) {
        rstd[row] = scaling;
        if (mean)
            mean[row] = average;
    }
}

/// A block does the rows of one part. With x̂ = (x − mean)·rstd and g = dY·weight:
/// dX += rstd·(g − mean(g) − x̂·mean(g·x̂)), without mean(g) for RMSNorm. A thread keeps to its
/// columns, so that it alone adds to their sums.
__global__ void normBackwardKernel(Global<float> dX, Global<float> partialWeight,
                                   Global<float> partialBias, Global<const float> dY,
                                   Global<const float> x, Global<const float> weight,
                                   Global<const float> mean, Global<const float> rstd,
                                   std::int64_t rows, std::int64_t width)
{
    __shared__ SharedArray<float, 32> scratch;
    const std::int64_t begin = std::int64_t(blockIdx.x) * normRowsOfBlock;
    const std::int64_t end = begin + normRowsOfBlock < rows ? begin + normRowsOfBlock : rows;
    const std::int64_t part = std::int64_t(blockIdx.x) * width;
    const float share = 1.0f / float(width);
    const int step = int(blockDim.x);
    for (std::int64_t row = begin; row < end; ++row) {
        const std::int64_t first = row * width;
        const float scaling = rstd[row];
        float average = 0;
        if (mean)
            average = mean[row];
        float sum = 0, product = 0;
        for (std::int64_t i = threadIdx.x; i < width; i += step) {
            const float dOut = dY[first + i];
            const float normal = (x[first + i] - average) * scaling;
            const float g = dOut * weight[i];
            sum += g;
            product += g * normal;
            float ofWeight = dOut * normal, ofBias = dOut;
            if (row > begin) {
                ofWeight += partialWeight[part + i];
                if (partialBias)
                    ofBias += partialBias[part + i];
            }
            partialWeight[part + i] = ofWeight;
            if (partialBias)
                partialBias[part + i] = ofBias;
        }
        const float meanProduct = overBlock(product, scratch, Sum()) * share;
        float meanG = 0;
        if (mean)
            meanG = overBlock(sum, scratch, Sum()) * share;
        for (std::int64_t i = threadIdx.x; i < width; i += step) {
            const float normal = (x[first + i] - average) * scaling;
            const float g = dY[first + i] * weight[i];
            dX[first + i] += scaling * (g - meanG - normal * meanProduct);
        }
    }
}

/// Whole warps, no more than a row can use.
unsigned threadsFor(std::int64_t width)
{
    const std::int64_t whole = (width + warpSize32 - 1) / warpSize32 * warpSize32;
    return static_cast<unsigned>(whole < threadsOfBlock ? whole : threadsOfBlock);
}

} // namespace

void normForward(cudaStream_t stream, float* y, float* mean, float* rstd, const float* x,
                 const float* weight, const float* bias, float epsilon, std::int64_t rows,
                 std::int64_t width)
{
    if (rows > 0)
        launch<normForwardKernel>(static_cast<unsigned>(rows), threadsFor(width), 0, stream, y,
                                  mean, rstd, x, weight, bias, epsilon, width);
}

void normBackward(cudaStream_t stream, float* dX, float* partialWeight, float* partialBias,
                  const float* dY, const float* x, const float* weight, const float* mean,
                  const float* rstd, std::int64_t rows, std::int64_t width)
{
    const std::int64_t blocks = (rows + normRowsOfBlock - 1) / normRowsOfBlock;
    if (blocks > 0)
        launch<normBackwardKernel>(static_cast<unsigned>(blocks), threadsFor(width), 0, stream, dX,
                                   partialWeight, partialBias, dY, x, weight, mean, rstd, rows,
                                   width);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
