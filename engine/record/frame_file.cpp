#include "engine/record/frame_file.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>
#include <utility>

namespace triaxis
{
namespace
{

/// Larger than any frame, so that a full buffer always holds at least one to go on with.
constexpr std::size_t chunkBytes = 4 << 20;
static_assert(chunkBytes > frameHeaderBytes + largestPayload);
constexpr std::size_t firstRead = 64 << 10;

} // namespace

FrameFile::FrameFile(std::filesystem::path file, std::int64_t offset)
    : m_file(std::move(file)), m_offset(offset)
{
}

FrameFile::~FrameFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

FrameFile::FrameFile(FrameFile&& other) noexcept
    : m_file(std::move(other.m_file)), m_descriptor(std::exchange(other.m_descriptor, -1)),
      m_offset(other.m_offset), m_scanner(other.m_scanner), m_buffer(std::move(other.m_buffer))
{
}

FrameFile& FrameFile::operator=(FrameFile&& other) noexcept
{
    std::swap(m_file, other.m_file);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_offset, other.m_offset);
    std::swap(m_scanner, other.m_scanner);
    std::swap(m_buffer, other.m_buffer);
    return *this;
}

bool FrameFile::open()
{
    // Without O_NONBLOCK a pipe in the place of a record file would hang whoever opens it.
    if (m_descriptor < 0)
        m_descriptor = ::open(m_file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    return m_descriptor >= 0;
}

/// Reads from the offset on as much as fits; what came is the return value, less than a chunk only
/// at the end.
std::size_t FrameFile::fill()
{
    std::size_t size = 0;
    std::size_t want = firstRead;
    while (size < chunkBytes) {
        m_buffer.resize(std::max(m_buffer.size(), size + want));
        const ssize_t got = ::pread(m_descriptor, m_buffer.data() + size, want,
                                    off_t(m_offset + std::int64_t(size)));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size += std::size_t(got);
        want = std::min(std::max(size, want), chunkBytes - size);
    }
    return size;
}

void FrameFile::poll(bool final, const FrameScanner::Visitor& visit)
{
    if (!open())
        return;
    for (bool atEnd = false; !atEnd;) {
        const std::size_t size = fill();
        atEnd = size < chunkBytes;
        const auto visitHere = [&](FrameView frame) {
            frame.offset += m_offset;
            visit(frame);
        };
        const std::size_t done =
            m_scanner.scan(std::span(m_buffer.data(), size), final && atEnd, visitHere);
        m_offset += std::int64_t(done);
        if (done == 0)
            break;
    }
    // A file that is followed for hours is polled with little to read: the large buffer is for the
    // first look.
    if (m_buffer.size() > 4 * firstRead)
        Bytes().swap(m_buffer);
}

} // namespace triaxis
