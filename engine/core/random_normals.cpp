#include "engine/core/random.h"

#include "engine/core/philox.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

// Compiled without contraction to fused operations and with nothing from the mathematics library
// but the square root, which IEEE 754 rounds exactly: the same bits on every processor.

namespace triaxis
{
namespace
{

constexpr int normalsOfBlock = 4;
constexpr int blocksAtOnce = 128;

using Words = std::array<std::uint32_t, blocksAtOnce>;
using Numbers = std::array<double, blocksAtOnce>;

/// Exact, and a form that compilers vectorise.
inline double toDouble(std::uint32_t value)
{
    return std::bit_cast<double>(0x4330000000000000u | std::uint64_t(value)) - 0x1p52;
}

/// Natural logarithm of a positive normal number, within 1e-10: x = m·2^e with m around 1, then the
/// series of the inverse hyperbolic tangent at (m − 1) / (m + 1).
inline double logarithm(double x)
{
    // The mantissa lies in [1/√2, √2) when the bits below 1/√2 count for the exponent below.
    constexpr std::uint64_t bitsOfHalfRoot = std::bit_cast<std::uint64_t>(0x1.6a09e667f3bcdp-1);
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t biased = (bits - bitsOfHalfRoot + (std::uint64_t(1024) << 52)) >> 52;
    const double exponent = toDouble(std::uint32_t(biased)) - 1024;
    const double m = std::bit_cast<double>(bits - ((biased - 1024) << 52));
    const double s = (m - 1) / (m + 1);
    const double z = s * s;
    const double series =
        1 + z * (1.0 / 3 + z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11)))));
    return 2 * s * series + exponent * std::numbers::ln2;
}

struct Direction
{
    double cosine, sine;
};

/// b where all bits of the mask are set, a where none is.
inline double choose(std::uint64_t mask, double a, double b)
{
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & ~mask) |
                                 (std::bit_cast<std::uint64_t>(b) & mask));
}

inline double withSign(double value, std::uint64_t negative)
{
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ (negative << 63));
}

/// Of `turn` ∈ [0, 1) full turns, within 1e-10: Taylor series within an eighth of a turn, no
/// branches.
inline Direction direction(double turn)
{
    constexpr double toInteger = 0x1.8p52; // added and taken away again, it rounds
    const double shifted = 4 * turn + toInteger;
    const std::uint64_t quarter = std::bit_cast<std::uint64_t>(shifted);
    const double x = (turn - 0.25 * (shifted - toInteger)) * (2 * std::numbers::pi);
    const double z = x * x;
    const double sine =
        x *
        (1 + z * (-1.0 / 6 + z * (1.0 / 120 +
                                  z * (-1.0 / 5040 + z * (1.0 / 362880 + z * (-1.0 / 39916800))))));
    const double cosine =
        1 + z * (-1.0 / 2 + z * (1.0 / 24 + z * (-1.0 / 720 +
                                                 z * (1.0 / 40320 + z * (-1.0 / 3628800 +
                                                                         z * (1.0 / 479001600))))));
    const std::uint64_t odd = 0 - (quarter & 1);
    return {withSign(choose(odd, cosine, sine), ((quarter + 1) >> 1) & 1),
            withSign(choose(odd, sine, cosine), (quarter >> 1) & 1)};
}

/// Box and Muller: two independent normals of two uniform words.
inline void transform(const Words& first, const Words& second, Numbers& one, Numbers& two)
{
    for (int i = 0; i < blocksAtOnce; ++i) {
        // In (0, 1], so that the logarithm is finite.
        const double u = (toDouble(first[std::size_t(i)]) + 1) * 0x1p-32;
        const double radius = std::sqrt(-2 * logarithm(u));
        const Direction at = direction(toDouble(second[std::size_t(i)]) * 0x1p-32);
        one[std::size_t(i)] = radius * at.cosine;
        two[std::size_t(i)] = radius * at.sine;
    }
}

} // namespace

void CounterRandom::blocks(std::uint64_t first, int count, std::uint32_t* __restrict word0,
                           std::uint32_t* __restrict word1, std::uint32_t* __restrict word2,
                           std::uint32_t* __restrict word3) const
{
    const auto seed0 = std::uint32_t(m_seed), seed1 = std::uint32_t(m_seed >> 32);
    const auto stream0 = std::uint32_t(m_stream), stream1 = std::uint32_t(m_stream >> 32);
    for (int i = 0; i < count; ++i) {
        const std::uint64_t index = first + std::uint64_t(i);
        std::uint32_t c0 = std::uint32_t(index), c1 = std::uint32_t(index >> 32);
        std::uint32_t c2 = stream0, c3 = stream1;
        philoxRounds(c0, c1, c2, c3, seed0, seed1);
        word0[i] = c0;
        word1[i] = c1;
        word2[i] = c2;
        word3[i] = c3;
    }
}

void CounterRandom::normals(std::uint64_t first, std::int64_t count, double scale, float* out) const
{
    std::array<Words, normalsOfBlock> words;
    std::array<Numbers, normalsOfBlock> numbers;
    std::array<float, std::size_t(normalsOfBlock * blocksAtOnce)> values;
    std::uint64_t index = first;
    for (std::int64_t done = 0; done < count;) {
        const std::uint64_t block = index / normalsOfBlock;
        blocks(block, blocksAtOnce, words[0].data(), words[1].data(), words[2].data(),
               words[3].data());
        transform(words[0], words[1], numbers[0], numbers[1]);
        transform(words[2], words[3], numbers[2], numbers[3]);
        for (int i = 0; i < blocksAtOnce; ++i)
            for (int k = 0; k < normalsOfBlock; ++k)
                values[std::size_t(normalsOfBlock * i + k)] =
                    float(scale * numbers[std::size_t(k)][std::size_t(i)]);
        const auto skipped = std::int64_t(index % normalsOfBlock);
        const std::int64_t end =
            std::min<std::int64_t>(skipped + count - done, normalsOfBlock * blocksAtOnce);
        std::copy(values.begin() + skipped, values.begin() + end, out + done);
        done += end - skipped;
        index += std::uint64_t(end - skipped);
    }
}

} // namespace triaxis
