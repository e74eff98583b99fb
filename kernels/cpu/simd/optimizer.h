#pragma once

#include "kernels/cpu/simd/kernel_table.h"
#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

/// Loshchilov and Hutter, "Decoupled Weight Decay Regularization", algorithm 2.
inline void adamW(float* weight, float* m, float* v, const float* gradient, const AdamWFactors& f,
                  std::int64_t count)
{
    const float newShare1 = 1.0f - f.beta1;
    const float newShare2 = 1.0f - f.beta2;
    forVectors(count, [&](std::int64_t i, auto part) {
        const Float g = load(gradient + i, part) * f.gradientScale;
        const Float first = load(m + i, part) * f.beta1 + g * newShare1;
        const Float second = load(v + i, part) * f.beta2 + (g * g) * newShare2;
        const Float root = squareRoot(second) * f.inverseRootBias + f.epsilon;
        store(m + i, first, part);
        store(v + i, second, part);
        store(weight + i, load(weight + i, part) * f.keep - (first / root) * f.rate, part);
    });
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
