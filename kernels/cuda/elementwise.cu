#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

#include <cmath>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

__global__ void fillKernel(Global<float> to, float value, std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        to[i] = value;
}

__global__ void addKernel(Global<float> to, Global<const float> from, std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        to[i] += from[i];
}

__global__ void scaleKernel(Global<float> values, float factor, std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        values[i] *= factor;
}

__global__ void addBiasKernel(Global<float> y, Global<const float> bias, std::int64_t count,
                              std::int64_t width)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        y[i] += bias[i % width];
}

__global__ void addResidualKernel(Global<float> x, Global<const float> branch,
                                  Global<const float> bias, std::int64_t count, std::int64_t width)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        float value = branch[i];
        if (bias)
            value += bias[i % width];
        x[i] += value;
    }
}

constexpr int columnsOfBlock = 32;
constexpr int stripes = 8; ///< threads that share a column

/// A thread sums every eighth row of its column; the eight are added in order.
__global__ void addColumnSumsKernel(Global<float> to, Global<const float> from, std::int64_t rows,
                                    std::int64_t width)
{
    __shared__ SharedArray<float, columnsOfBlock * stripes> parts;
    const int stripe = int(threadIdx.y);
    const int column = int(threadIdx.x);
    const std::int64_t at = std::int64_t(blockIdx.x) * columnsOfBlock + column;
    float sum = 0;
    if (at < width)
        for (std::int64_t r = stripe; r < rows; r += stripes)
            sum += from[r * width + at];
    parts[stripe * columnsOfBlock + column] = sum;
    __syncthreads();
    if (stripe != 0 || at >= width)
        return;
    float total = 0;
    for (int i = 0; i < stripes; ++i)
        total += parts[i * columnsOfBlock + column];
    to[at] += total;
}

constexpr float rootOf2OverPi = 0.7978845608028654f;
constexpr float cubicShare = 0.044715f;

__device__ float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/// 0.5·x·(1 + tanh(√(2/π)·(x + 0.044715·x³))): Hendrycks and Gimpel, "Gaussian Error Linear Units".
/// As x·sigmoid(2·…) it keeps its digits where the sum of 1 and tanh loses them.
__global__ void geluForwardKernel(Global<float> y, Global<float> x, Global<const float> bias,
                                  std::int64_t count, std::int64_t width)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        float value = x[i];
        if (bias) {
            value += bias[i % width];
            x[i] = value;
        }
        const float inner = rootOf2OverPi * value * (1.0f + cubicShare * value * value);
        y[i] = value * sigmoid(2.0f * inner);
    }
}

__global__ void geluBackwardKernel(Global<float> dX, Global<const float> dY, Global<const float> x,
                                   std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const float value = x[i];
        const float square = value * value;
        const float s = sigmoid(2.0f * rootOf2OverPi * value * (1.0f + cubicShare * square));
        const float slope = 2.0f * rootOf2OverPi * (1.0f + 3.0f * cubicShare * square);
        dX[i] = dY[i] * (s + value * s * (1.0f - s) * slope);
    }
}

/// Shazeer, "GLU Variants Improve Transformer", equation 6.
__global__ void swigluForwardKernel(Global<float> y, Global<const float> gate,
                                    Global<const float> up, std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const float g = gate[i];
        y[i] = g * sigmoid(g) * up[i];
    }
}

__global__ void swigluBackwardKernel(Global<float> dGate, Global<float> dUp, Global<const float> dY,
                                     Global<const float> gate, Global<const float> up,
                                     std::int64_t count)
{
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const float g = gate[i], u = up[i], dOut = dY[i];
        const float s = sigmoid(g);
        dGate[i] = dOut * u * s * (1.0f + g * (1.0f - s));
        dUp[i] = dOut * g * s;
    }
}

/// Angle of pair i at position t: t·theta^(−2i / headSize) (Su et al., "RoFormer", section 3.2).
__global__ void rotaryTableKernel(Global<float> cosines, Global<float> sines, std::int64_t count,
                                  int headSize, float theta)
{
    const int half = headSize / 2;
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const double frequency = pow(double(theta), -2.0 * double(i % half) / double(headSize));
        const double angle = double(i / half) * frequency;
        cosines[i] = float(cos(angle));
        sines[i] = float(sin(angle));
    }
}

/// An element of the grid is a pair (i, i + half) of one head of one row.
__global__ void ropeKernel(Global<float> x, Global<const float> cosines, Global<const float> sines,
                           std::int64_t stride, std::int64_t count, std::int64_t time, int heads,
                           int headSize, float sign)
{
    const std::int64_t half = headSize / 2;
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const std::int64_t pair = i % half;
        const std::int64_t head = i / half % heads;
        const std::int64_t row = i / half / heads;
        const std::int64_t first = row * stride + head * headSize + pair;
        const std::int64_t angle = row % time * half + pair;
        const float cosine = cosines[angle], sine = sign * sines[angle];
        const float a = x[first], b = x[first + half];
        x[first] = a * cosine - b * sine;
        x[first + half] = b * cosine + a * sine;
    }
}

} // namespace

void fill(cudaStream_t stream, float* to, float value, std::int64_t count)
{
    if (count > 0)
        launch<fillKernel>(blocksFor(count), threadsOfBlock, 0, stream, to, value, count);
}

void add(cudaStream_t stream, float* to, const float* from, std::int64_t count)
{
    if (count > 0)
        launch<addKernel>(blocksFor(count), threadsOfBlock, 0, stream, to, from, count);
}

void scale(cudaStream_t stream, float* values, float factor, std::int64_t count)
{
    if (count > 0)
        launch<scaleKernel>(blocksFor(count), threadsOfBlock, 0, stream, values, factor, count);
}

void addBias(cudaStream_t stream, float* y, const float* bias, std::int64_t rows,
             std::int64_t width)
{
    const std::int64_t count = rows * width;
    if (count > 0)
        launch<addBiasKernel>(blocksFor(count), threadsOfBlock, 0, stream, y, bias, count, width);
}

void addColumnSums(cudaStream_t stream, float* to, const float* from, std::int64_t rows,
                   std::int64_t width)
{
    if (rows == 0 || width == 0)
        return;
    const auto blocks = static_cast<unsigned>((width + columnsOfBlock - 1) / columnsOfBlock);
    launch<addColumnSumsKernel>(blocks, dim3{columnsOfBlock, stripes, 1}, 0, stream, to, from, rows,
                                width);
}

void addResidual(cudaStream_t stream, float* x, const float* branch, const float* bias,
                 std::int64_t rows, std::int64_t width)
{
    const std::int64_t count = rows * width;
    if (count > 0)
        launch<addResidualKernel>(blocksFor(count), threadsOfBlock, 0, stream, x, branch, bias,
                                  count, width);
}

void geluForward(cudaStream_t stream, float* y, float* x, const float* bias, std::int64_t rows,
                 std::int64_t width)
{
    const std::int64_t count = rows * width;
    if (count > 0)
        launch<geluForwardKernel>(blocksFor(count), threadsOfBlock, 0, stream, y, x, bias, count,
                                  width);
}

void geluBackward(cudaStream_t stream, float* dX, const float* dY, const float* x,
                  std::int64_t count)
{
    if (count > 0)
        launch<geluBackwardKernel>(blocksFor(count), threadsOfBlock, 0, stream, dX, dY, x, count);
}

void swigluForward(cudaStream_t stream, float* y, const float* gate, const float* up,
                   std::int64_t count)
{
    if (count > 0)
        launch<swigluForwardKernel>(blocksFor(count), threadsOfBlock, 0, stream, y, gate, up,
                                    count);
}

void swigluBackward(cudaStream_t stream, float* dGate, float* dUp, const float* dY,
                    const float* gate, const float* up, std::int64_t count)
{
    if (count > 0)
        launch<swigluBackwardKernel>(blocksFor(count), threadsOfBlock, 0, stream, dGate, dUp, dY,
                                     gate, up, count);
}

void rotaryTable(cudaStream_t stream, float* cosines, float* sines, std::int64_t time, int headSize,
                 float theta)
{
    const std::int64_t count = time * (headSize / 2);
    if (count > 0)
        launch<rotaryTableKernel>(blocksFor(count), threadsOfBlock, 0, stream, cosines, sines,
                                  count, headSize, theta);
}

void rope(cudaStream_t stream, float* x, const float* cosines, const float* sines,
          std::int64_t stride, std::int64_t rows, std::int64_t time, int heads, int headSize,
          bool inverse)
{
    const std::int64_t count = rows * heads * (headSize / 2);
    if (count > 0)
        launch<ropeKernel>(blocksFor(count), threadsOfBlock, 0, stream, x, cosines, sines, stride,
                           count, time, heads, headSize, inverse ? -1.0f : 1.0f);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
