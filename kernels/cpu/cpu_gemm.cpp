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

Gemm depthOf(Gemm g, std::int64_t begin, std::int64_t end)
{
    g.a += g.transA == Transpose::Yes ? begin * g.lda : begin;
    g.b += g.transB == Transpose::Yes ? begin : begin * g.ldb;
    g.k = end - begin;
    if (begin > 0)
        g.beta = 1;
    return g;
}

double flopsOf(const Gemm& g)
{
    return 2.0 * static_cast<double>(g.m) * static_cast<double>(g.n) * static_cast<double>(g.k);
}

/// `length` in `parts` parts as equal as whole tiles allow.
std::int64_t partLength(std::int64_t length, std::int64_t parts)
{
    constexpr std::int64_t tile = 64;
    const std::int64_t even = (length + parts - 1) / parts;
    return (even + tile - 1) / tile * tile;
}

/// One thread's share in steps short enough for calls of progress() between them. A long sum is cut
/// along k: each piece of A or B would else be packed again for every step.
template <class Between>
void multiplyInSteps(const Gemm& g, Between&& between)
{
    constexpr double stepFlops = 4e9;
    const auto steps = 1 + static_cast<std::int64_t>(flopsOf(g) / stepFlops);
    const bool byDepth = g.k > std::max(g.m, g.n);
    const bool byColumns = g.n >= g.m;
    const std::int64_t length = byDepth ? g.k : byColumns ? g.n : g.m;
    const std::int64_t step = partLength(length, steps);
    for (std::int64_t begin = 0; begin < length || begin == 0; begin += step) {
        const std::int64_t end = std::min(length, begin + step);
        multiply(byDepth     ? depthOf(g, begin, end)
                 : byColumns ? columnsOf(g, begin, end)
                             : rowsOf(g, begin, end));
        between();
    }
}

} // namespace

void CpuDevice::gemm(Stream&, const Gemm& product)
{
    checkSizes(product);
    if (product.m == 0 || product.n == 0)
        return;
    // Along the longer side, one part a thread; below the limit a second thread does not pay.
    constexpr double smallestFlops = 4e6;
    const bool byColumns = product.n >= product.m;
    const std::int64_t length = byColumns ? product.n : product.m;
    const std::int64_t part =
        partLength(length, flopsOf(product) < smallestFlops ? 1 : m_pool.threads());
    m_pool.runRanges(length, part, [&](std::int64_t begin, std::int64_t end, int thread) {
        multiplyInSteps(byColumns ? columnsOf(product, begin, end) : rowsOf(product, begin, end),
                        [&] { m_pool.progress(thread); });
    });
}

} // namespace triaxis::kernels::cpu
