#pragma once

#include "engine/core/random.h"

#include <cstdint>

namespace triaxis
{

/// A pseudorandom order of 0 … size − 1 for each epoch, keyed by a seed, in constant memory: a
/// balanced Feistel network over the next even power of two, walked until it lands inside (Black
/// and Rogaway, "Ciphers with arbitrary finite domains", CT-RSA 2002).
class EpochPermutation
{
public:
    EpochPermutation(std::uint64_t seed, std::int64_t size);

    /// What stands at `position` of the order of `epoch`; 0 ≤ position < size.
    std::int64_t at(std::int64_t epoch, std::int64_t position) const;

private:
    std::uint64_t shuffle(std::uint64_t epoch, std::uint64_t value) const;

    CounterRandom m_random;
    std::int64_t m_size;
    int m_halfBits = 1;
};

} // namespace triaxis
