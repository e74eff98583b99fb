#pragma once

#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

inline void add(float* to, const float* from, std::int64_t count)
{
    forVectors(count, [&](std::int64_t i, auto part) {
        store(to + i, load(to + i, part) + load(from + i, part), part);
    });
}

inline void scale(float* values, float factor, std::int64_t count)
{
    forVectors(count, [&](std::int64_t i, auto part) {
        store(values + i, load(values + i, part) * factor, part);
    });
}

inline void addBias(float* y, const float* bias, std::int64_t rows, std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r)
        add(y + r * width, bias, width);
}

inline void addResidual(float* x, const float* branch, const float* bias, std::int64_t rows,
                        std::int64_t width)
{
    if (!bias) {
        add(x, branch, rows * width);
        return;
    }
    for (std::int64_t r = 0; r < rows; ++r) {
        float* const to = x + r * width;
        const float* const from = branch + r * width;
        forVectors(width, [&](std::int64_t i, auto part) {
            store(to + i, load(to + i, part) + (load(from + i, part) + load(bias + i, part)), part);
        });
    }
}

/// `vectors` columns of vectors at once, so that a row is read in whole cache lines.
template <int vectors>
TRIAXIS_INLINE void sumColumns(float* to, const float* from, std::int64_t stride, std::int64_t rows)
{
    Float sum[vectors];
    for (int v = 0; v < vectors; ++v)
        sum[v] = load(to + v * lanes);
    for (std::int64_t r = 0; r < rows; ++r)
        for (int v = 0; v < vectors; ++v)
            sum[v] += load(from + r * stride + v * lanes);
    for (int v = 0; v < vectors; ++v)
        store(to + v * lanes, sum[v]);
}

inline void sumRows(float* to, const float* from, std::int64_t stride, std::int64_t rows,
                    std::int64_t width)
{
    constexpr int vectors = 8;
    std::int64_t i = 0;
    for (; i + vectors * lanes <= width; i += vectors * lanes)
        sumColumns<vectors>(to + i, from + i, stride, rows);
    for (; i + lanes <= width; i += lanes)
        sumColumns<1>(to + i, from + i, stride, rows);
    for (; i < width; ++i) {
        float sum = to[i];
        for (std::int64_t r = 0; r < rows; ++r)
            sum += from[r * stride + i];
        to[i] = sum;
    }
}

inline double sumOfSquares(const float* x, std::int64_t count)
{
    HalfDouble even = {}, odd = {};
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        HalfFloat low, high;
        __builtin_memcpy(&low, x + i, sizeof low);
        __builtin_memcpy(&high, x + i + lanes / 2, sizeof high);
        const HalfDouble a = __builtin_convertvector(low, HalfDouble);
        const HalfDouble b = __builtin_convertvector(high, HalfDouble);
        even += a * a;
        odd += b * b;
    }
    double sum = 0;
    for (int lane = 0; lane < lanes / 2; ++lane)
        sum += even[lane] + odd[lane];
    for (; i < count; ++i)
        sum += double(x[i]) * double(x[i]);
    return sum;
}

inline bool allFinite(const float* x, std::int64_t count)
{
    // x − x is 0 for every finite x and no number for all others; a sum of such stays no number.
    Float sum = {};
    forVectors(count, [&](std::int64_t i, auto part) {
        const Float value = load(x + i, part);
        sum += value - value;
    });
    return sumOf(sum) == 0.0f;
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
