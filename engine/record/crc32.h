#pragma once

#include <cstdint>
#include <span>

namespace triaxis
{

/// CRC-32 of IEEE 802.3 (reflected polynomial 0xEDB88320), as in zip and PNG. `previous` continues
/// an earlier part.
std::uint32_t crc32(std::span<const std::uint8_t> data, std::uint32_t previous = 0);

} // namespace triaxis
