#pragma once

#include "kernels/cpu/simd/functions.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

inline constexpr float lowestFloat = -__builtin_inff();

inline float maximumOfRow(const float* x, std::int64_t count)
{
    Float a = broadcast(lowestFloat), b = a, c = a, d = a;
    std::int64_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        a = maximum(load(x + i), a);
        b = maximum(load(x + i + lanes), b);
        c = maximum(load(x + i + 2 * lanes), c);
        d = maximum(load(x + i + 3 * lanes), d);
    }
    a = maximum(maximum(a, b), maximum(c, d));
    forVectors(count - i, [&](std::int64_t j, auto part) {
        a = maximum(loadOr(x + i + j, part, lowestFloat), a);
    });
    return maximumOf(a);
}

inline double exponentials(float* x, float maximum, std::int64_t count)
{
    // Lanes are emptied into a double often enough to keep their rounding far below the result's.
    constexpr std::int64_t block = 64 * lanes;
    double total = 0;
    for (std::int64_t start = 0; start < count; start += block) {
        const std::int64_t size = count - start < block ? count - start : block;
        Float sum = {};
        forVectors(size, [&](std::int64_t i, auto part) {
            const Float value = exponential(load(x + start + i, part) - maximum);
            store(x + start + i, value, part);
            sum += keep(value, part);
        });
        total += double(sumOf(sum));
    }
    return total;
}

inline float softmaxBlock(float* scores, float* maximum, float* sum, std::int64_t valid,
                          std::int64_t columns)
{
    const float blockMaximum = maximumOfRow(scores, valid);
    const float before = *maximum;
    const float now = blockMaximum > before ? blockMaximum : before;
    Float total = {};
    forVectors(valid, [&](std::int64_t i, auto part) {
        const Float value = keep(exponential(load(scores + i, part) - now), part);
        store(scores + i, value, part);
        total += value;
    });
    for (std::int64_t i = valid; i < columns; ++i)
        scores[i] = 0;
    const float factor = exponential(broadcast(before - now))[0];
    *maximum = now;
    *sum = *sum * factor + sumOf(total);
    return factor;
}

inline void softmaxBackwardBlock(float* scores, float* dP, float logSumExp, float dot,
                                 std::int64_t valid, std::int64_t columns)
{
    forVectors(valid, [&](std::int64_t i, auto part) {
        const Float p = exponential(load(scores + i, part) - logSumExp);
        store(scores + i, p, part);
        store(dP + i, p * (load(dP + i, part) - dot), part);
    });
    for (std::int64_t i = valid; i < columns; ++i) {
        scores[i] = 0;
        dP[i] = 0;
    }
}

inline float dot(const float* a, const float* b, std::int64_t count)
{
    Float sum = {};
    forVectors(count,
               [&](std::int64_t i, auto part) { sum += load(a + i, part) * load(b + i, part); });
    return sumOf(sum);
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
