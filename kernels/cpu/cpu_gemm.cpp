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

/// Every product is cut in steps short enough for calls of progress() between them: a long sum
/// along k (along another side each piece of A or B would be packed again for every step), else
/// along the longer side, where the threads divide it as well.
struct Division
{
    bool byDepth = false, byColumns = false;
    std::int64_t depth = 0; ///< of a step
    std::int64_t share = 0; ///< of a thread
    std::int64_t step = 0;  ///< within a share
};

Division divide(const Gemm& g, int threads)
{
    constexpr double stepFlops = 4e9;
    constexpr double smallestFlops = 4e6; // a second thread does not pay below it
    const double flops = flopsOf(g);
    const auto steps = 1 + static_cast<std::int64_t>(flops / stepFlops);
    Division d;
    d.byDepth = g.k > std::max(g.m, g.n);
    d.byColumns = g.n >= g.m;
    // The cuts along k do not depend on the threads, since they show in the result.
    d.depth = d.byDepth ? partLength(g.k, steps) : g.k;
    const std::int64_t length = d.byColumns ? g.n : g.m;
    d.share = partLength(length, flops < smallestFlops ? 1 : threads);
    d.step = d.byDepth ? d.share : std::min(d.share, partLength(length, steps));
    return d;
}

Gemm sideOf(const Gemm& g, const Division& d, std::int64_t begin, std::int64_t end)
{
    return d.byColumns ? columnsOf(g, begin, end) : rowsOf(g, begin, end);
}

} // namespace

void CpuDevice::gemm(Stream&, const Gemm& product)
{
    checkSizes(product);
    if (product.m == 0 || product.n == 0)
        return;
    const Division d = divide(product, m_pool.threads());
    const std::int64_t length = d.byColumns ? product.n : product.m;
    m_pool.runRanges(length, d.share, [&](std::int64_t begin, std::int64_t end, int thread) {
        for (std::int64_t at = begin; at < end; at += d.step) {
            const Gemm side = sideOf(product, d, at, std::min(end, at + d.step));
            std::int64_t depth = 0;
            do {
                multiply(depthOf(side, depth, std::min(product.k, depth + d.depth)));
                m_pool.progress(thread);
                depth += d.depth;
            } while (depth < product.k);
        }
    });
}

} // namespace triaxis::kernels::cpu
