#pragma once

#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

/// eˣ to about 1 unit in the last place; 0 below −87.3, infinity above 88.7; no number stays one.
/// x = n·ln 2 + r, |r| ≤ ln 2 / 2; eʳ by a polynomial (Cephes' single-precision coefficients).
TRIAXIS_INLINE Float exponential(Float x)
{
    const Float lowest = broadcast(-87.33654f);
    const Float clamped = minimum(broadcast(89.0f), maximum(lowest, x));
    // Adding 1.5·2²³ rounds to an integer, which then stands in the low bits.
    const Float shifter = broadcast(12582912.0f);
    const Float shifted = clamped * 1.44269504088896341f + shifter;
    const Float n = shifted - shifter;
    const Float r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    Float p = broadcast(1.9875691500e-4f);
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + (r + 1.0f);
    // 2ⁿ in two factors: n may be 128.
    const Int exponent = bitsOf(shifted) - bitsOf(shifter);
    const Int half = exponent >> 1;
    const Float first = floatOf((half + 127) << 23);
    const Float second = floatOf((exponent - half + 127) << 23);
    const Float value = p * first * second;
    return x < lowest ? Float{} : value;
}

TRIAXIS_INLINE Float sigmoid(Float x)
{
    return 1.0f / (1.0f + exponential(-x));
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
