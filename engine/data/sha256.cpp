#include "engine/data/sha256.h"

#include "engine/core/error.h"
#include "engine/data/token_source.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>

namespace triaxis
{
namespace
{

/// First 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS
/// 180-4, 4.2.2).
constexpr std::array<std::uint32_t, 64> roundConstants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

std::uint32_t bigEndian(const std::uint8_t* bytes)
{
    return (std::uint32_t(bytes[0]) << 24) | (std::uint32_t(bytes[1]) << 16) |
           (std::uint32_t(bytes[2]) << 8) | bytes[3];
}

std::array<std::uint32_t, 64> messageSchedule(const std::uint8_t* block)
{
    std::array<std::uint32_t, 64> w;
    for (std::size_t i = 0; i < 16; ++i)
        w[i] = bigEndian(block + 4 * i);
    for (std::size_t i = 16; i < w.size(); ++i) {
        const std::uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ (a >> 3)) + w[i - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ (b >> 10));
    }
    return w;
}

} // namespace

void Sha256::addBlock(const std::uint8_t* block)
{
    const std::array<std::uint32_t, 64> w = messageSchedule(block);
    auto [a, b, c, d, e, f, g, h] = m_state;
    for (std::size_t i = 0; i < w.size(); ++i) {
        const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const std::uint32_t choice = (e & f) ^ (~e & g);
        const std::uint32_t first = h + sum1 + choice + roundConstants[i] + w[i];
        const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
        h = g;
        g = f;
        f = e;
        e = d + first;
        d = c;
        c = b;
        b = a;
        a = first + sum0 + majority;
    }
    const std::array<std::uint32_t, 8> change{a, b, c, d, e, f, g, h};
    for (std::size_t i = 0; i < change.size(); ++i)
        m_state[i] += change[i];
}

void Sha256::add(const void* data, std::size_t bytes)
{
    const auto* from = static_cast<const std::uint8_t*>(data);
    m_totalBytes += bytes;
    while (bytes > 0) {
        if (m_pendingBytes == 0 && bytes >= m_pending.size()) {
            addBlock(from);
            from += m_pending.size();
            bytes -= m_pending.size();
            continue;
        }
        const std::size_t taken = std::min(bytes, m_pending.size() - m_pendingBytes);
        std::memcpy(m_pending.data() + m_pendingBytes, from, taken);
        from += taken;
        bytes -= taken;
        m_pendingBytes += taken;
        if (m_pendingBytes == m_pending.size()) {
            addBlock(m_pending.data());
            m_pendingBytes = 0;
        }
    }
}

std::string Sha256::finish()
{
    const std::uint64_t bits = 8 * m_totalBytes;
    constexpr std::uint8_t mark = 0x80, zero = 0;
    add(&mark, 1);
    while (m_pendingBytes != m_pending.size() - sizeof bits)
        add(&zero, 1);
    for (int shift = 56; shift >= 0; shift -= 8) {
        const auto byte = std::uint8_t(bits >> shift);
        add(&byte, 1);
    }
    constexpr const char* digits = "0123456789abcdef";
    std::string text;
    for (const std::uint32_t word : m_state) {
        for (int shift = 28; shift >= 0; shift -= 4)
            text += digits[(word >> shift) & 15u];
    }
    return text;
}

std::string fileSha256(const std::filesystem::path& file)
{
    constexpr const char* tried = "cannot read the data";
    std::error_code code;
    if (!std::filesystem::is_regular_file(file, code))
        throw Error(tried, file.string() + " is no regular file that exists",
                    "give the path of a file");
    std::ifstream in(file, std::ios::binary);
    if (!in)
        throw Error(tried, file.string() + ": " + std::strerror(errno), "check the permissions");
    Sha256 hash;
    std::string block(1 << 16, '\0');
    while (in.read(block.data(), std::streamsize(block.size())) || in.gcount() > 0)
        hash.add(block.data(), std::size_t(in.gcount()));
    if (in.bad())
        throw Error(tried, file.string() + ": " + std::strerror(errno), "check the disk");
    return hash.finish();
}

} // namespace triaxis
