#pragma once

#include "kernels/cpu/simd/kernel_table.h"
#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

/// A tile of C held in registers: `tileRows` rows of `vectors` vectors, the last of which may be
/// partly there.
template <int tileRows, int vectors, class Last>
TRIAXIS_INLINE void multiplyTile(const BlockProduct& p, std::int64_t row, std::int64_t column,
                                 Last last)
{
    Float sum[tileRows][vectors];
    float* const c = p.c + row * p.cRow + column;
    for (int i = 0; i < tileRows; ++i)
        for (int v = 0; v < vectors; ++v) {
            const float* const from = c + i * p.cRow + v * lanes;
            if (!p.accumulate)
                sum[i][v] = Float{};
            else if (v + 1 < vectors)
                sum[i][v] = load(from);
            else
                sum[i][v] = load(from, last);
        }
    const float* a = p.a + row * p.aRow;
    const float* b = p.b + column;
    for (std::int64_t k = 0; k < p.k; ++k, a += p.aColumn, b += p.bRow) {
        Float right[vectors];
#pragma GCC unroll 8
        for (int v = 0; v < vectors; ++v)
            right[v] = v + 1 < vectors ? load(b + v * lanes) : load(b + v * lanes, last);
#pragma GCC unroll 16
        for (int i = 0; i < tileRows; ++i) {
            const Float left = broadcast(a[i * p.aRow]);
#pragma GCC unroll 8
            for (int v = 0; v < vectors; ++v)
                sum[i][v] += left * right[v];
        }
    }
    for (int i = 0; i < tileRows; ++i)
        for (int v = 0; v < vectors; ++v) {
            float* const to = c + i * p.cRow + v * lanes;
            if (v + 1 < vectors)
                store(to, sum[i][v]);
            else
                store(to, sum[i][v], last);
        }
}

template <int vectors, class Last>
TRIAXIS_INLINE void multiplyColumns(const BlockProduct& p, std::int64_t column, Last last)
{
    constexpr int tileRows = 6;
    std::int64_t row = 0;
    for (; row + tileRows <= p.m; row += tileRows)
        multiplyTile<tileRows, vectors>(p, row, column, last);
    for (; row + 2 <= p.m; row += 2)
        multiplyTile<2, vectors>(p, row, column, last);
    if (row < p.m)
        multiplyTile<1, vectors>(p, row, column, last);
}

inline void multiply(const BlockProduct& p)
{
    constexpr int vectors = lanes == 16 ? 4 : 2;
    std::int64_t column = 0;
    for (; column + vectors * lanes <= p.n; column += vectors * lanes)
        multiplyColumns<vectors>(p, column, Whole{});
    for (; column + lanes <= p.n; column += lanes)
        multiplyColumns<1>(p, column, Whole{});
    if (column < p.n)
        multiplyColumns<1>(p, column, Part{static_cast<int>(p.n - column)});
}

inline void transpose(float* to, std::int64_t toStride, const float* from, std::int64_t stride,
                      std::int64_t rows, std::int64_t columns)
{
    constexpr std::int64_t tile = 16;
    for (std::int64_t i0 = 0; i0 < rows; i0 += tile)
        for (std::int64_t j = 0; j < columns; ++j) {
            const std::int64_t end = i0 + tile < rows ? i0 + tile : rows;
            for (std::int64_t i = i0; i < end; ++i)
                to[j * toStride + i] = from[i * stride + j];
        }
}

inline void pack(float* to, const float* from, std::int64_t stride, float factor, std::int64_t rows,
                 std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = from + r * stride;
        float* const out = to + r * width;
        forVectors(width, [&](std::int64_t i, auto part) {
            store(out + i, load(in + i, part) * factor, part);
        });
    }
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
