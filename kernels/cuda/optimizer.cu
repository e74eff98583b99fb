#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

#include <cmath>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

struct Square
{
    __device__ double operator()(float x) const { return double(x) * double(x); }
};

struct NotFinite
{
    __device__ double operator()(float x) const { return x - x == 0.0f ? 0.0 : 1.0; }
};

/// A sum for each block of the grid. Which elements a thread takes depends on the count alone.
template <class Value>
__global__ void partialSumsKernel(Global<double> partial, Global<const float> x, std::int64_t count)
{
    __shared__ SharedArray<double, 32> scratch;
    double sum = 0;
    for (std::int64_t i = firstElement(); i < count; i += elementStep())
        sum += Value()(x[i]);
    sum = overBlock(sum, scratch, Sum());
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__global__ void finalSumKernel(Global<double> total, Global<const double> partial, int count)
{
    __shared__ SharedArray<double, 32> scratch;
    double sum = 0;
    for (int i = int(threadIdx.x); i < count; i += int(blockDim.x))
        sum += partial[i];
    sum = overBlock(sum, scratch, Sum());
    if (threadIdx.x == 0)
        total[0] += sum;
}

template <class Value>
void sum(cudaStream_t stream, double* total, double* partial, const float* x, std::int64_t count)
{
    const unsigned wanted = count > 0 ? blocksFor(count) : 1;
    const unsigned blocks = wanted < reductionBlocks ? wanted : reductionBlocks;
    launch<partialSumsKernel<Value>>(blocks, threadsOfBlock, 0, stream, partial, x, count);
    launch<finalSumKernel>(1, threadsOfBlock, 0, stream, total, partial, int(blocks));
}

/// The settings of a step as the loop needs them.
struct AdamWStep
{
    float gradientScale, beta1, beta2;
    float rate;            ///< learning rate over the first bias correction
    float inverseRootBias; ///< 1 / √ of the second
    float epsilon, keep;
};

/// As Device::clipFactor() says; one thread.
__global__ void clipFactorKernel(Global<float> factor, Global<const double> squaredNorm,
                                 double clipNorm)
{
    const double squares = squaredNorm[0];
    const double norm = sqrt(squares);
    double down = 1;
    if (clipNorm > 0 && norm + 1e-6 > clipNorm)
        down = clipNorm / (norm + 1e-6);
    factor[0] = norm - norm == 0.0 ? float(down) : NAN;
}

/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization", algorithm 2.
__global__ void adamWKernel(Global<float> weight, Global<float> m, Global<float> v,
                            Global<const float> gradient, Global<const float> scaleAt, AdamWStep s,
                            std::int64_t count)
{
    float scale = s.gradientScale;
    if (scaleAt)
        scale = scaleAt[0];
    if (scale != scale)
        return;
    for (std::int64_t i = firstElement(); i < count; i += elementStep()) {
        const float g = gradient[i] * scale;
        const float first = m[i] * s.beta1 + g * (1.0f - s.beta1);
        const float second = v[i] * s.beta2 + g * g * (1.0f - s.beta2);
        m[i] = first;
        v[i] = second;
        weight[i] =
            weight[i] * s.keep - first / (sqrtf(second) * s.inverseRootBias + s.epsilon) * s.rate;
    }
}

} // namespace

void sumOfSquares(cudaStream_t stream, double* total, double* partial, const float* x,
                  std::int64_t count)
{
    sum<Square>(stream, total, partial, x, count);
}

void countNotFinite(cudaStream_t stream, double* total, double* partial, const float* x,
                    std::int64_t count)
{
    sum<NotFinite>(stream, total, partial, x, count);
}

void clipFactor(cudaStream_t stream, float* factor, const double* squaredNorm, double clipNorm)
{
    launch<clipFactorKernel>(1, 1, 0, stream, factor, squaredNorm, clipNorm);
}

void adamW(cudaStream_t stream, float* weight, float* m, float* v, const float* gradient,
           const AdamW& settings, std::int64_t count)
{
    if (count == 0)
        return;
    const double t = double(settings.step);
    const double rate = double(settings.learningRate);
    AdamWStep step;
    step.gradientScale = settings.gradientScale;
    step.beta1 = settings.beta1;
    step.beta2 = settings.beta2;
    step.rate = float(rate / (1.0 - std::pow(double(settings.beta1), t)));
    step.inverseRootBias = float(1.0 / std::sqrt(1.0 - std::pow(double(settings.beta2), t)));
    step.epsilon = settings.epsilon;
    step.keep = float(1.0 - rate * double(settings.weightDecay));
    launch<adamWKernel>(blocksFor(count), threadsOfBlock, 0, stream, weight, m, v, gradient,
                        settings.gradientScaleAt, step, count);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
