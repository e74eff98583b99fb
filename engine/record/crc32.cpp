#include "engine/record/crc32.h"

#include <array>
#include <cstring>

namespace triaxis
{
namespace
{

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[k][b]: the remainder of byte b followed by k zero bytes, so that eight bytes go at once.
constexpr Tables makeTables()
{
    Tables tables{};
    for (std::uint32_t b = 0; b < 256; ++b) {
        std::uint32_t value = b;
        for (int bit = 0; bit < 8; ++bit)
            value = (value >> 1) ^ ((value & 1) ? 0xEDB88320u : 0u);
        tables[0][b] = value;
    }
    for (std::size_t k = 1; k < 8; ++k)
        for (std::size_t b = 0; b < 256; ++b)
            tables[k][b] = (tables[k - 1][b] >> 8) ^ tables[0][tables[k - 1][b] & 0xff];
    return tables;
}

constexpr Tables tables = makeTables();

} // namespace

std::uint32_t crc32(std::span<const std::uint8_t> data, std::uint32_t previous)
{
    std::uint32_t crc = ~previous;
    const std::uint8_t* p = data.data();
    std::size_t left = data.size();
    for (; left >= 8; left -= 8, p += 8) {
        std::uint32_t low = 0;
        std::uint32_t high = 0;
        std::memcpy(&low, p, 4);
        std::memcpy(&high, p + 4, 4);
        low ^= crc;
        crc = tables[7][low & 0xff] ^ tables[6][(low >> 8) & 0xff] ^ tables[5][(low >> 16) & 0xff] ^
              tables[4][low >> 24] ^ tables[3][high & 0xff] ^ tables[2][(high >> 8) & 0xff] ^
              tables[1][(high >> 16) & 0xff] ^ tables[0][high >> 24];
    }
    for (; left > 0; --left, ++p)
        crc = (crc >> 8) ^ tables[0][(crc ^ *p) & 0xff];
    return ~crc;
}

} // namespace triaxis
