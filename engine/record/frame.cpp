#include "engine/record/frame.h"

#include "engine/record/crc32.h"

#include <array>
#include <cassert>
#include <cstring>

namespace triaxis
{
namespace
{

constexpr std::array<std::uint8_t, 4> magic{'T', 'X', 'R', '1'};
constexpr std::size_t lengthOffset = 8;
constexpr std::size_t crcOffset = 12;

/// Bytes that may be checked in vain before damage is skipped by the lengths it claims: keeps a
/// file that was made of nothing but misleading headers from costing more than a few seconds.
constexpr std::uint64_t wasteLimit = std::uint64_t(1) << 30;

template <class Number>
Number numberAt(std::span<const std::uint8_t> data, std::size_t at)
{
    Number value{};
    std::memcpy(&value, data.data() + at, sizeof value);
    return value;
}

std::uint32_t checksum(std::span<const std::uint8_t> frame)
{
    const std::uint32_t head = crc32(frame.subspan(magic.size(), crcOffset - magic.size()));
    return crc32(frame.subspan(frameHeaderBytes), head);
}

/// Position of the next magic at or after `from`; a beginning of one that the data's end cuts
/// counts, too.
std::size_t findMagic(std::span<const std::uint8_t> data, std::size_t from)
{
    while (from < data.size()) {
        const void* hit = std::memchr(data.data() + from, magic[0], data.size() - from);
        if (!hit)
            return data.size();
        from = std::size_t(static_cast<const std::uint8_t*>(hit) - data.data());
        const std::size_t length = std::min(magic.size(), data.size() - from);
        if (std::memcmp(data.data() + from, magic.data(), length) == 0)
            return from;
        ++from;
    }
    return data.size();
}

} // namespace

FrameBuilder::FrameBuilder(Bytes& out, FrameType type) : m_out(out), m_start(out.size())
{
    m_out.insert(m_out.end(), magic.begin(), magic.end());
    ByteWriter header(m_out);
    header.put(std::uint16_t(type));
    header.put(frameVersion);
    header.put(std::uint32_t(0));
    header.put(std::uint32_t(0));
}

void FrameBuilder::finish()
{
    const std::size_t payload = m_out.size() - m_start - frameHeaderBytes;
    assert(payload <= largestPayload);
    const auto length = std::uint32_t(payload);
    std::memcpy(m_out.data() + m_start + lengthOffset, &length, sizeof length);
    const std::uint32_t crc = checksum(std::span(m_out).subspan(m_start));
    std::memcpy(m_out.data() + m_start + crcOffset, &crc, sizeof crc);
}

FrameScanner::Finding FrameScanner::examine(std::span<const std::uint8_t> data, std::size_t at)
{
    const std::size_t left = data.size() - at;
    if (std::memcmp(data.data() + at, magic.data(), std::min(left, magic.size())) != 0)
        return {Verdict::Damaged, 0};
    if (left < frameHeaderBytes)
        return {Verdict::Incomplete, frameHeaderBytes};
    const auto length = numberAt<std::uint32_t>(data, at + lengthOffset);
    if (length > largestPayload)
        return {Verdict::Damaged, 0};
    const std::size_t size = frameHeaderBytes + length;
    if (left < size)
        return {Verdict::Incomplete, size};
    if (checksum(data.subspan(at, size)) != numberAt<std::uint32_t>(data, at + crcOffset)) {
        m_wasted += size;
        return {Verdict::Damaged, size};
    }
    return {Verdict::Good, size};
}

bool FrameScanner::hasGoodFrame(std::span<const std::uint8_t> data, std::size_t from)
{
    for (std::size_t at = findMagic(data, from); at < data.size() && m_wasted < wasteLimit;
         at = findMagic(data, at + 1))
        if (examine(data, at).verdict == Verdict::Good)
            return true;
    return false;
}

std::size_t FrameScanner::scan(std::span<const std::uint8_t> data, bool final, const Visitor& visit)
{
    std::size_t at = 0;
    while (at < data.size()) {
        const Finding finding = examine(data, at);
        if (finding.verdict == Verdict::Good) {
            visit({numberAt<std::uint16_t>(data, at + 4), numberAt<std::uint16_t>(data, at + 6),
                   std::int64_t(at),
                   data.subspan(at + frameHeaderBytes, finding.size - frameHeaderBytes)});
            at += finding.size;
            continue;
        }
        if (finding.verdict == Verdict::Incomplete && !final && !hasGoodFrame(data, at + 1))
            break;
        const bool trustLength = m_wasted >= wasteLimit && finding.verdict == Verdict::Damaged;
        const std::size_t next =
            findMagic(data, trustLength ? at + std::max<std::size_t>(finding.size, 1) : at + 1);
        m_torn += std::int64_t(next - at);
        at = next;
    }
    return at;
}

} // namespace triaxis
