#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace triaxis
{

/// One block of Philox4x32-10: four random words of a 128-bit counter under a 64-bit key.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key);

/// Counter-based random numbers: a value depends on (seed, stream, index) only, so any rank can
/// make any element of a global tensor without making the others, and every layout starts from the
/// same model. Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC
/// 2011).
class CounterRandom
{
public:
    /// stream: what the numbers are for; for weights the canonical tensor name.
    CounterRandom(std::uint64_t seed, std::string_view stream);

    /// 64 random bits of element `index`.
    std::uint64_t bits(std::uint64_t index) const;
    /// Uniform in [0, 1), 53 bits.
    double uniform(std::uint64_t index) const;
    /// Standard normal (Box–Muller on the element's own bits).
    double normal(std::uint64_t index) const;
    /// out[i] = scale · standard normal of element first + i, for i < count: four elements from a
    /// block, in single precision, much faster than normal() and other numbers than its. The same
    /// bits for any division of the elements into calls, and on every processor.
    void normals(std::uint64_t first, std::int64_t count, double scale, float* out) const;

private:
    /// Words 0 to 3 of blocks first … first + count.
    void blocks(std::uint64_t first, int count, std::uint32_t* word0, std::uint32_t* word1,
                std::uint32_t* word2, std::uint32_t* word3) const;
    std::array<std::uint32_t, 4> block(std::uint64_t index) const;

    std::uint64_t m_seed;
    std::uint64_t m_stream;
};

} // namespace triaxis
