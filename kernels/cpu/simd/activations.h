#pragma once

#include "kernels/cpu/simd/functions.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

// gelu(x) = x/2·(1 + tanh u) = x·σ(2u) with u = √(2/π)·(x + 0.044715·x³).
inline constexpr float geluLinear = 1.5957691216057308f; // 2·√(2/π)
inline constexpr float geluCubic = 0.044715f * geluLinear;

inline void geluForward(float* y, float* x, const float* bias, std::int64_t rows,
                        std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        float* const in = x + r * width;
        float* const out = y + r * width;
        forVectors(width, [&](std::int64_t i, auto part) {
            Float value = load(in + i, part);
            if (bias) {
                value += load(bias + i, part);
                store(in + i, value, part);
            }
            const Float twiceU = value * (geluLinear + geluCubic * (value * value));
            store(out + i, value * sigmoid(twiceU), part);
        });
    }
}

inline void geluBackward(float* dX, const float* dY, const float* x, std::int64_t count)
{
    forVectors(count, [&](std::int64_t i, auto part) {
        const Float value = load(x + i, part);
        const Float square = value * value;
        const Float s = sigmoid(value * (geluLinear + geluCubic * square));
        const Float slope = geluLinear + 3.0f * geluCubic * square;
        const Float derivative = s + value * (s * (1.0f - s)) * slope;
        store(dX + i, load(dY + i, part) * derivative, part);
    });
}

inline void swigluForward(float* y, const float* gate, const float* up, std::int64_t count)
{
    forVectors(count, [&](std::int64_t i, auto part) {
        const Float g = load(gate + i, part);
        store(y + i, g * sigmoid(g) * load(up + i, part), part);
    });
}

inline void swigluBackward(float* dGate, float* dUp, const float* dY, const float* gate,
                           const float* up, std::int64_t count)
{
    forVectors(count, [&](std::int64_t i, auto part) {
        const Float g = load(gate + i, part);
        const Float u = load(up + i, part);
        const Float dy = load(dY + i, part);
        const Float s = sigmoid(g);
        store(dGate + i, dy * u * (s + g * (s * (1.0f - s))), part);
        store(dUp + i, dy * (g * s), part);
    });
}

inline void rotate(float* x, const float* cosines, const float* sines, float sign,
                   std::int64_t half)
{
    forVectors(half, [&](std::int64_t i, auto part) {
        const Float c = load(cosines + i, part);
        const Float s = load(sines + i, part) * sign;
        const Float first = load(x + i, part);
        const Float second = load(x + half + i, part);
        store(x + i, first * c - second * s, part);
        store(x + half + i, second * c + first * s, part);
    });
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
