#include "engine/data/permutation.h"

namespace triaxis
{

EpochPermutation::EpochPermutation(std::uint64_t seed, std::int64_t size)
    : m_random(seed, "data.order"), m_size(size)
{
    while ((std::int64_t(1) << (2 * m_halfBits)) < size && m_halfBits < 31)
        ++m_halfBits;
}

std::uint64_t EpochPermutation::shuffle(std::uint64_t epoch, std::uint64_t value) const
{
    constexpr std::uint64_t rounds = 8;
    const std::uint64_t mask = (std::uint64_t(1) << m_halfBits) - 1;
    std::uint64_t left = value >> m_halfBits, right = value & mask;
    for (std::uint64_t round = 0; round < rounds; ++round) {
        const std::uint64_t word = m_random.bits(((epoch * rounds + round) << 32) | right);
        const std::uint64_t next = left ^ (word & mask);
        left = right;
        right = next;
    }
    return (left << m_halfBits) | right;
}

std::int64_t EpochPermutation::at(std::int64_t epoch, std::int64_t position) const
{
    // A permutation of the larger domain returns to the smaller one, since its cycle began there.
    auto value = std::uint64_t(position);
    do {
        value = shuffle(std::uint64_t(epoch), value);
    } while (value >= std::uint64_t(m_size));
    return std::int64_t(value);
}

} // namespace triaxis
