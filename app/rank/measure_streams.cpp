#include "app/rank/measurement.h"

#include <algorithm>
#include <unistd.h>

namespace triaxis::rank
{
namespace
{

constexpr std::int64_t rows = 64;
constexpr std::int64_t extent = 1024;
constexpr std::int64_t matrix = extent * extent;       ///< floats
constexpr std::int64_t updated = matrix / 4;           ///< elements of a call of the optimizer
constexpr std::int64_t copied = std::int64_t(1) << 15; ///< floats of a call that reads as many
constexpr std::int64_t smallestBlock = std::int64_t(1) << 20; ///< bytes that a near cache holds
constexpr std::int64_t floatBytes = std::int64_t(sizeof(float));

std::int64_t machineBytes()
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && page > 0 ? std::int64_t(pages) * page : 0;
}

/// What a rank comes back to, from where the use is measured by itself (activations: in the nearest
/// caches; all else: in a block that these do not hold) up to far more than any cache holds, as far
/// as memory reaches for all ranks.
std::vector<std::int64_t> sizesOf(const Measurement& measurement, StreamUse use, int ranks)
{
    const std::int64_t affordable = machineBytes() / 4 / ranks;
    std::vector<std::int64_t> sizes{Measurement::largestOperand * floatBytes};
    if (use == StreamUse::Activations)
        sizes.front() = smallestBlock;
    const std::vector<int> factors =
        measurement.pace().coarse ? std::vector<int>{64} : std::vector<int>{4, 16, 64};
    for (const int factor : factors)
        if (sizes.front() * factor <= affordable)
            sizes.push_back(sizes.front() * factor);
    return sizes;
}

/// Walks through the front of a large block again and again.
class Stream
{
public:
    Stream(Measurement& measurement, float* block, std::int64_t bytes)
        : m(measurement), m_block(block), m_floats(bytes / floatBytes)
    {
    }

    void call(StreamUse use)
    {
        switch (use) {
        case StreamUse::Weights:
            product(false);
            break;
        case StreamUse::Gradients:
            product(true);
            break;
        case StreamUse::Optimizer:
            update();
            break;
        case StreamUse::Activations:
            copy();
            break;
        }
    }
    static std::int64_t bytesOf(StreamUse use)
    {
        if (use == StreamUse::Activations)
            return 2 * copied * floatBytes;
        return use == StreamUse::Optimizer ? 4 * updated * floatBytes : matrix * floatBytes;
    }

private:
    float* next(std::int64_t floats)
    {
        if (m_at + floats > m_floats)
            m_at = 0;
        float* const place = m_block + m_at;
        m_at += floats;
        return place;
    }

    /// Of weights, or of their gradient.
    void product(bool gradient)
    {
        kernels::Gemm gemm;
        gemm.m = gradient ? extent : rows;
        gemm.n = extent;
        gemm.k = gradient ? rows : extent;
        gemm.transA = gradient ? kernels::Transpose::Yes : kernels::Transpose::No;
        gemm.lda = gemm.ldb = gemm.ldc = extent;
        gemm.beta = gradient ? 1.0F : 0.0F;
        gemm.a = m.warm(0, rows * extent);
        gemm.b = gradient ? m.warm(1, rows * extent) : next(matrix);
        gemm.c = gradient ? next(matrix) : m.warm(2, rows * extent);
        m.device().gemm(m.stream(), gemm);
    }

    void copy()
    {
        const float* const from = next(copied);
        m.device().copy(m.stream(), next(copied), from, copied);
    }

    void update()
    {
        kernels::AdamW settings;
        settings.learningRate = 1e-6F;
        float* const place = next(4 * updated);
        m.device().adamW(m.stream(), place, place + updated, place + 2 * updated,
                         place + 3 * updated, settings, updated);
    }

    Measurement& m;
    float* m_block;
    std::int64_t m_floats;
    std::int64_t m_at = 0;
};

} // namespace

void measureStreams(Measurement& measurement)
{
    const int ranks = measurement.world().size();
    const std::int64_t floats = sizesOf(measurement, StreamUse::Weights, ranks).back() / floatBytes;
    const kernels::Buffer block =
        measurement.device().allocateFloats(floats, kernels::MemoryUse::Workspace);
    measurement.device().fill(measurement.stream(), block.floats(), 0.01F, floats);
    for (const StreamUse use :
         {StreamUse::Weights, StreamUse::Gradients, StreamUse::Optimizer, StreamUse::Activations})
        for (const std::int64_t size : sizesOf(measurement, use, ranks)) {
            measurement.tell("memory beyond the caches", 0.95);
            Stream stream(measurement, block.floats(), size);
            // What fits a cache is there from now on.
            measurement.device().sumOfSquares(measurement.stream(), block.floats(),
                                              size / floatBytes);
            const double seconds = measurement.secondsOf([&] { stream.call(use); }, 16);
            measurement.result().streams.push_back(
                {measurement.under(), use, size, Stream::bytesOf(use), seconds});
        }
}

} // namespace triaxis::rank
