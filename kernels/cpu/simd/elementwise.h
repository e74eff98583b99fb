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

/// `pastCaches`: for arrays that the caches cannot hold anyway; spares reading what is overwritten.
inline void fill(float* to, float value, std::int64_t count, bool pastCaches)
{
    const Float values = broadcast(value);
    std::int64_t i = 0;
    if (pastCaches) {
        constexpr std::uintptr_t vectorBytes = sizeof(Float);
        for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % vectorBytes != 0; ++i)
            to[i] = value;
        for (; i + lanes <= count; i += lanes)
            storePastCaches(to + i, values);
    }
    forVectors(count - i, [&](std::int64_t j, auto part) { store(to + i + j, values, part); });
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

/// Half a vector, as double.
TRIAXIS_INLINE HalfDouble loadDouble(const float* from)
{
#if TRIAXIS_SIMD_WIDTH == 16
    return _mm512_maskz_cvtps_pd(0xff, _mm256_loadu_ps(from));
#elif TRIAXIS_SIMD_WIDTH == 8
    return _mm256_cvtps_pd(_mm_loadu_ps(from));
#else
    HalfFloat value;
    __builtin_memcpy(&value, from, sizeof value);
    return __builtin_convertvector(value, HalfDouble);
#endif
}

inline double sumOfSquares(const float* x, std::int64_t count)
{
    constexpr int chains = 8; // enough to hide the latency of an addition
    HalfDouble sums[chains] = {};
    constexpr std::int64_t step = chains * lanes / 2;
    std::int64_t i = 0;
    for (; i + step <= count; i += step)
        for (int chain = 0; chain < chains; ++chain) {
            const HalfDouble value = loadDouble(x + i + chain * lanes / 2);
            sums[chain] += value * value;
        }
    double sum = 0;
    for (int chain = 0; chain < chains; ++chain)
        for (int lane = 0; lane < lanes / 2; ++lane)
            sum += sums[chain][lane];
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
