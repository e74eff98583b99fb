#include "engine/core/random.h"

#include "engine/core/philox.h"

#include <cmath>
#include <numbers>

namespace triaxis
{
namespace
{

/// FNV-1a, then the finaliser of SplitMix64, since FNV mixes its upper bits badly for short names.
std::uint64_t hashOf(std::string_view text)
{
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text)
        hash = (hash ^ std::uint8_t(c)) * 0x100000001b3u;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

std::uint64_t join(std::uint32_t high, std::uint32_t low)
{
    return (std::uint64_t(high) << 32) | low;
}

double unitInterval(std::uint64_t bits)
{
    return double(bits >> 11) * 0x1.0p-53;
}

} // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                        std::array<std::uint32_t, 2> key)
{
    philoxRounds(counter[0], counter[1], counter[2], counter[3], key[0], key[1]);
    return counter;
}

CounterRandom::CounterRandom(std::uint64_t seed, std::string_view stream)
    : m_seed(seed), m_stream(hashOf(stream))
{
}

std::array<std::uint32_t, 4> CounterRandom::block(std::uint64_t index) const
{
    return philox4x32({std::uint32_t(index), std::uint32_t(index >> 32), std::uint32_t(m_stream),
                       std::uint32_t(m_stream >> 32)},
                      {std::uint32_t(m_seed), std::uint32_t(m_seed >> 32)});
}

std::uint64_t CounterRandom::bits(std::uint64_t index) const
{
    const auto words = block(index);
    return join(words[1], words[0]);
}

double CounterRandom::uniform(std::uint64_t index) const
{
    return unitInterval(bits(index));
}

double CounterRandom::normal(std::uint64_t index) const
{
    const auto words = block(index);
    // 1 − u lies in (0, 1], so that the logarithm is finite.
    const double u = 1.0 - unitInterval(join(words[1], words[0]));
    const double angle = 2.0 * std::numbers::pi * unitInterval(join(words[3], words[2]));
    return std::sqrt(-2.0 * std::log(u)) * std::cos(angle);
}

} // namespace triaxis
