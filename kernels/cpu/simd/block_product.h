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
    if constexpr (vectors == 4) {
        if (column + 3 * lanes <= p.n) {
            multiplyColumns<3>(p, column, Whole{});
            column += 3 * lanes;
        }
        if (column + 2 * lanes <= p.n) {
            multiplyColumns<2>(p, column, Whole{});
            column += 2 * lanes;
        }
    }
    if (column + lanes <= p.n) {
        multiplyColumns<1>(p, column, Whole{});
        column += lanes;
    }
    if (column < p.n)
        multiplyColumns<1>(p, column, Part{static_cast<int>(p.n - column)});
}

/// Exchanges, in `size` × `size` quarters, the off-diagonal ones of each square of twice that size;
/// then goes on with half.
template <int size = lanes / 2>
TRIAXIS_INLINE void transposeSquare(Float (&rows)[lanes])
{
    Int upper, lower;
    for (int i = 0; i < lanes; ++i) {
        upper[i] = (i & size) == 0 ? i : i - size + lanes;
        lower[i] = (i & size) == 0 ? i + size : i + lanes;
    }
#pragma GCC unroll 16
    for (int i = 0; i < lanes; ++i) {
        if ((i & size) != 0)
            continue;
        const Float first = rows[i], second = rows[i + size];
        rows[i] = __builtin_shuffle(first, second, upper);
        rows[i + size] = __builtin_shuffle(first, second, lower);
    }
    if constexpr (size > 1)
        transposeSquare<size / 2>(rows);
}

inline void transpose(float* to, std::int64_t toStride, const float* from, std::int64_t stride,
                      std::int64_t rows, std::int64_t columns)
{
    const std::int64_t wholeRows = rows / lanes * lanes;
    const std::int64_t wholeColumns = columns / lanes * lanes;
    for (std::int64_t i = 0; i < wholeRows; i += lanes)
        for (std::int64_t j = 0; j < wholeColumns; j += lanes) {
            Float square[lanes];
#pragma GCC unroll 16
            for (int r = 0; r < lanes; ++r)
                square[r] = load(from + (i + r) * stride + j);
            transposeSquare(square);
#pragma GCC unroll 16
            for (int r = 0; r < lanes; ++r)
                store(to + (j + r) * toStride + i, square[r]);
        }
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = i < wholeRows ? wholeColumns : 0; j < columns; ++j)
            to[j * toStride + i] = from[i * stride + j];
}

inline void copyRows(float* to, std::int64_t toStride, const float* from, std::int64_t fromStride,
                     float factor, std::int64_t rows, std::int64_t width)
{
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = from + r * fromStride;
        float* const out = to + r * toStride;
        forVectors(width, [&](std::int64_t i, auto part) {
            store(out + i, load(in + i, part) * factor, part);
        });
    }
}

inline void pack(float* to, const float* from, std::int64_t stride, float factor, std::int64_t rows,
                 std::int64_t width)
{
    copyRows(to, width, from, stride, factor, rows, width);
}

inline void unpack(float* to, std::int64_t stride, const float* from, float factor,
                   std::int64_t rows, std::int64_t width)
{
    copyRows(to, stride, from, width, factor, rows, width);
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
