#pragma once

#include "engine/record/bytes.h"

#include <cstdint>
#include <functional>
#include <span>

namespace triaxis
{

/// The container of record files: frames one after the other, each
///
///     magic "TXR1" | type u16 | version u16 | payload length u32 | CRC-32 u32 | payload
///
/// all little-endian. The CRC covers type, version, length and payload. A reader that meets damage
/// goes on at the next magic that begins an undamaged frame.
enum class FrameType : std::uint16_t {
    Hello = 1,
    Clock = 2,
    Spans = 3,
    Memory = 4,
    Step = 5,
    Log = 6,
    Fault = 7,
    End = 8,
    Live = 9,
    Slots = 10
};

inline constexpr std::size_t frameHeaderBytes = 16;
inline constexpr std::uint32_t largestPayload = 1 << 20;
inline constexpr std::uint16_t frameVersion = 1;

/// Appends one frame to `out`: construct, write the payload through payload(), then finish().
class FrameBuilder
{
public:
    FrameBuilder(Bytes& out, FrameType type);
    ByteWriter payload() { return ByteWriter(m_out); }
    void finish();

private:
    Bytes& m_out;
    std::size_t m_start;
};

struct FrameView
{
    std::uint16_t type = 0;
    std::uint16_t version = 0;
    std::int64_t offset = 0; ///< of the header, from the start of the scanned bytes
    std::span<const std::uint8_t> payload;
};

/// Finds the undamaged frames in bytes that may end anywhere and may be damaged anywhere.
class FrameScanner
{
public:
    using Visitor = std::function<void(const FrameView&)>;

    /// Visits every undamaged frame and returns how many bytes are done with; the rest is the
    /// beginning of a frame whose end has not come yet. `final`: nothing more will come, so that
    /// such a rest is damage, too.
    std::size_t scan(std::span<const std::uint8_t> data, bool final, const Visitor& visit);
    /// Bytes skipped so far because they belong to no undamaged frame.
    std::int64_t tornBytes() const { return m_torn; }

private:
    enum class Verdict { Good, Damaged, Incomplete };
    struct Finding
    {
        Verdict verdict = Verdict::Damaged;
        std::size_t size = 0; ///< of the frame with its header, as the header says
    };
    Finding examine(std::span<const std::uint8_t> data, std::size_t at);
    bool hasGoodFrame(std::span<const std::uint8_t> data, std::size_t from);

    std::int64_t m_torn = 0;
    std::uint64_t m_wasted = 0; ///< payload bytes checked in vain
};

} // namespace triaxis
