#pragma once

#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

/// p·2ⁿ where x ≥ lowest or x is no number, else 0; n is whole, −126 ≤ n ≤ 128.
TRIAXIS_INLINE Float scaledAbove(Float x, Float lowest, Float p, Float n)
{
#if TRIAXIS_SIMD_WIDTH == 16
    return _mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x, lowest, _CMP_NLT_UQ), p, n);
#else
    // 2ⁿ in two factors: n may be 128.
    const Int exponent = __builtin_convertvector(n, Int);
    const Int half = exponent >> 1;
    const Float first = floatOf((half + 127) << 23);
    const Float second = floatOf((exponent - half + 127) << 23);
    const Float value = p * first * second;
    return x < lowest ? Float{} : value;
#endif
}

/// eˣ to about 1 unit in the last place; 0 below −87.3, infinity above 88.7; no number stays one.
/// x = n·ln 2 + r, |r| ≤ ln 2 / 2; eʳ by a polynomial (Cephes' single-precision coefficients).
TRIAXIS_INLINE Float exponential(Float x)
{
    const Float lowest = broadcast(-87.33654f);
    const Float clamped = minimum(broadcast(89.0f), maximum(lowest, x));
    // Adding 1.5·2²³ and taking it away again rounds to an integer.
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
    return scaledAbove(x, lowest, p, n);
}

TRIAXIS_INLINE Float sigmoid(Float x)
{
    // Far below, where the exponential would leave the range of reciprocal(), it is 0 within
    // rounding.
    const Float most = broadcast(87.0f);
    const Float value = reciprocal(1.0f + exponential(minimum(most, -x)));
    return x < -most ? Float{} : value;
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
