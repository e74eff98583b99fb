#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace triaxis
{

/// SHA-256 of a stream of bytes (FIPS 180-4).
class Sha256
{
public:
    void add(const void* data, std::size_t bytes);
    /// Lower-case hexadecimal; no more may be added.
    std::string finish();

private:
    void addBlock(const std::uint8_t* block);

    std::array<std::uint32_t, 8> m_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                         0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    std::array<std::uint8_t, 64> m_pending{};
    std::size_t m_pendingBytes = 0;
    std::uint64_t m_totalBytes = 0;
};

} // namespace triaxis
