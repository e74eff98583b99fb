#pragma once

#include "kernels/cpu/simd/functions.h"
#include "kernels/cpu/simd/kernel_table.h"

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

/// Row `row` of a block sees this many of its `columns` keys.
TRIAXIS_INLINE std::int64_t visibleOf(std::int64_t row, std::int64_t visible, std::int64_t columns)
{
    return visible + row < columns ? visible + row : columns;
}

inline void softmaxBlock(const ScoreBlock& block, float* maxima, float* sums, float* factors)
{
    for (std::int64_t r = 0; r < block.rows; ++r) {
        float* const scores = block.scores + r * block.stride;
        const std::int64_t valid = visibleOf(r, block.visible, block.columns);
        Float greatest = broadcast(lowestFloat);
        forVectors(valid, [&](std::int64_t i, auto part) {
            greatest = maximum(loadOr(scores + i, part, lowestFloat), greatest);
        });
        const Float before = broadcast(maxima[r]);
        const Float now = maximum(before, broadcast(maximumOf(greatest)));
        Float total = {};
        forVectors(valid, [&](std::int64_t i, auto part) {
            const Float value = keep(exponential(load(scores + i, part) - now), part);
            store(scores + i, value, part);
            total += value;
        });
        for (std::int64_t i = valid; i < block.columns; ++i)
            scores[i] = 0;
        const Float factor = exponential(before - now);
        factors[r] = factor[0];
        maxima[r] = now[0];
        sums[r] = sums[r] * factor[0] + sumOf(total);
    }
}

inline void softmaxBackwardBlock(const ScoreBlock& block, float* dScores, const float* logSumExp,
                                 const float* dots)
{
    for (std::int64_t r = 0; r < block.rows; ++r) {
        float* const scores = block.scores + r * block.stride;
        float* const dP = dScores + r * block.stride;
        const std::int64_t valid = visibleOf(r, block.visible, block.columns);
        forVectors(valid, [&](std::int64_t i, auto part) {
            const Float p = exponential(load(scores + i, part) - logSumExp[r]);
            store(scores + i, p, part);
            store(dP + i, p * (load(dP + i, part) - dots[r]), part);
        });
        for (std::int64_t i = valid; i < block.columns; ++i) {
            scores[i] = 0;
            dP[i] = 0;
        }
    }
}

inline void scaleRows(float* to, const float* factors, std::int64_t rows, std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        if (factors[r] == 1.0f)
            continue;
        float* const row = to + r * width;
        forVectors(width, [&](std::int64_t i, auto part) {
            store(row + i, load(row + i, part) * factors[r], part);
        });
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
