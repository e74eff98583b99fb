#include "kernels/cpu/cpu_device.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace triaxis::kernels::cpu
{

void CpuDevice::addSumOfSquares(Stream&, double* to, const float* x, std::int64_t count)
{
    constexpr std::int64_t block = 32768;
    std::vector<double> sums(static_cast<std::size_t>((count + block - 1) / block));
    m_pool.runRanges(count, block, [&](std::int64_t begin, std::int64_t end, int) {
        sums[static_cast<std::size_t>(begin / block)] =
            m_kernels.sumOfSquares(x + begin, end - begin);
    });
    double total = 0;
    for (const double sum : sums)
        total += sum;
    *to += total;
}

void CpuDevice::clipFactor(Stream&, float* factor, const double* squaredNorm, double clipNorm)
{
    const double norm = std::sqrt(*squaredNorm);
    const double down = clipNorm > 0 ? std::min(1.0, clipNorm / (norm + 1e-6)) : 1.0;
    *factor = std::isfinite(norm) ? static_cast<float>(down)
                                  : std::numeric_limits<float>::quiet_NaN();
}

bool CpuDevice::allFinite(Stream&, const float* x, std::int64_t count)
{
    std::atomic<bool> finite{true};
    forRange(count, 1, [&](std::int64_t begin, std::int64_t end) {
        if (!m_kernels.allFinite(x + begin, end - begin))
            finite.store(false, std::memory_order_relaxed);
    });
    return finite;
}

void CpuDevice::adamW(Stream&, float* weight, float* m, float* v, const float* gradient,
                      const AdamW& step, std::int64_t count)
{
    const double t = static_cast<double>(step.step);
    AdamWFactors factors;
    factors.gradientScale = step.gradientScaleAt ? *step.gradientScaleAt : step.gradientScale;
    if (std::isnan(factors.gradientScale))
        return;
    factors.beta1 = step.beta1;
    factors.beta2 = step.beta2;
    factors.rate =
        static_cast<float>(double(step.learningRate) / (1.0 - std::pow(double(step.beta1), t)));
    factors.inverseRootBias =
        static_cast<float>(1.0 / std::sqrt(1.0 - std::pow(double(step.beta2), t)));
    factors.epsilon = step.epsilon;
    factors.keep = static_cast<float>(1.0 - double(step.learningRate) * double(step.weightDecay));
    forRange(count, 4, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.adamW(weight + begin, m + begin, v + begin, gradient + begin, factors,
                        end - begin);
    });
}

} // namespace triaxis::kernels::cpu
