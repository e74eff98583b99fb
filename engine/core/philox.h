#pragma once

#include <cstdint>

namespace triaxis
{

/// The ten rounds of Philox4x32-10 on the counter c0 … c3 under the key k0, k1 (Salmon et al., SC
/// 2011, section 3.4), in a form that compilers vectorise over many counters.
inline void philoxRounds(std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2, std::uint32_t& c3,
                         std::uint32_t k0, std::uint32_t k1)
{
    constexpr std::uint32_t multiplier0 = 0xd2511f53u, multiplier1 = 0xcd9e8d57u;
    constexpr std::uint32_t weyl0 = 0x9e3779b9u, weyl1 = 0xbb67ae85u;
    constexpr int rounds = 10;
    for (int round = 0; round < rounds; ++round) {
        const std::uint64_t a = std::uint64_t(multiplier0) * c0;
        const std::uint64_t b = std::uint64_t(multiplier1) * c2;
        c0 = std::uint32_t(b >> 32) ^ c1 ^ k0;
        c1 = std::uint32_t(b);
        c2 = std::uint32_t(a >> 32) ^ c3 ^ k1;
        c3 = std::uint32_t(a);
        k0 += weyl0;
        k1 += weyl1;
    }
}

} // namespace triaxis
