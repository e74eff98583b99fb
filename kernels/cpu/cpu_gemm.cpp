#include "kernels/cpu/blas.h"
#include "kernels/cpu/cpu_device.h"

#include <algorithm>

namespace triaxis::kernels::cpu
{

namespace
{

Gemm columnsOf(Gemm g, std::int64_t begin, std::int64_t end)
{
    g.b += g.transB == Transpose::Yes ? begin * g.ldb : begin;
    g.c += begin;
    g.n = end - begin;
    return g;
}

Gemm rowsOf(Gemm g, std::int64_t begin, std::int64_t end)
{
    g.a += g.transA == Transpose::Yes ? begin : begin * g.lda;
    g.c += begin * g.ldc;
    g.m = end - begin;
    return g;
}

/// How a product is divided: along its longer side, into parts as equal as whole tiles allow.
struct Division
{
    bool byColumns = true;
    std::int64_t length = 0;
    std::int64_t part = 0;
};

Division divide(const Gemm& g, int threads)
{
    constexpr std::int64_t tile = 64;
    constexpr double partFlops = 4e9;     // between calls of progress()
    constexpr double smallestFlops = 4e6; // below it a second thread does not pay
    Division division;
    division.byColumns = g.n >= g.m;
    division.length = division.byColumns ? g.n : g.m;
    const double flops =
        2.0 * static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
    std::int64_t parts = flops < smallestFlops ? 1 : threads;
    const double rounds = flops / (partFlops * static_cast<double>(parts));
    parts *= 1 + static_cast<std::int64_t>(rounds);
    const std::int64_t even = (division.length + parts - 1) / parts;
    division.part = std::max<std::int64_t>(tile, (even + tile - 1) / tile * tile);
    return division;
}

} // namespace

void CpuDevice::gemm(Stream&, const Gemm& product)
{
    checkSizes(product);
    if (product.m == 0 || product.n == 0)
        return;
    const Division division = divide(product, m_pool.threads());
    m_pool.runRanges(division.length, division.part,
                     [&](std::int64_t begin, std::int64_t end, int) {
                         multiply(division.byColumns ? columnsOf(product, begin, end)
                                                     : rowsOf(product, begin, end));
                     });
}

} // namespace triaxis::kernels::cpu
