#include "engine/record/clock_track.h"
#include "engine/record/payloads.h"
#include "engine/record/records.h"

#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

namespace triaxis
{
namespace
{

/// Larger than any frame, so that a full buffer always holds at least one to go on with.
constexpr std::size_t chunkBytes = 4 << 20;
static_assert(chunkBytes > frameHeaderBytes + largestPayload);

void align(RecordBatch& batch, const ClockTrack& clock)
{
    for (Span& span : batch.spans) {
        span.ready = clock.toRankZero(span.ready);
        span.begin = clock.toRankZero(span.begin);
        span.end = clock.toRankZero(span.end);
    }
    for (MemorySample& sample : batch.memory)
        sample.time = clock.toRankZero(sample.time);
    for (StepResult& step : batch.steps)
        step.begin = clock.toRankZero(step.begin);
    for (LogRecord& log : batch.logs)
        log.time = clock.toRankZero(log.time);
    for (FaultRecord& fault : batch.faults)
        fault.time = clock.toRankZero(fault.time);
}

} // namespace

struct RecordReader::Impl
{
    std::filesystem::path file;
    int descriptor = -1;
    std::int64_t offset = 0;
    FrameScanner scanner;
    ClockTrack clock;
    Bytes buffer;

    ~Impl()
    {
        if (descriptor >= 0)
            ::close(descriptor);
    }

    bool open();
    std::size_t fill();
};

bool RecordReader::Impl::open()
{
    if (descriptor < 0)
        descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    return descriptor >= 0;
}

/// Reads as much as fits from `offset` on; what came is the return value, less than the buffer only
/// at the end.
std::size_t RecordReader::Impl::fill()
{
    std::size_t size = 0;
    std::size_t want = 64 << 10;
    while (size < chunkBytes) {
        buffer.resize(std::max(buffer.size(), size + want));
        const ssize_t got =
            ::pread(descriptor, buffer.data() + size, want, off_t(offset + std::int64_t(size)));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        size += std::size_t(got);
        want = std::min(std::max(size, want), chunkBytes - size);
    }
    return size;
}

RecordReader::RecordReader(const std::filesystem::path& file, std::int64_t offset)
    : m_impl(std::make_unique<Impl>())
{
    m_impl->file = file;
    m_impl->offset = offset;
}

RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;

RecordBatch RecordReader::poll(bool final)
{
    RecordBatch batch;
    if (!m_impl->open())
        return batch;
    const std::int64_t tornBefore = m_impl->scanner.tornBytes();
    for (bool atEnd = false; !atEnd;) {
        const std::size_t size = m_impl->fill();
        atEnd = size < chunkBytes;
        const std::span<const std::uint8_t> data(m_impl->buffer.data(), size);
        const std::size_t done = m_impl->scanner.scan(
            data, final && atEnd, [&](const FrameView& frame) { payload::decode(frame, batch); });
        m_impl->offset += std::int64_t(done);
        if (done == 0)
            break;
    }
    // A file that is followed for hours is polled with little to read: the large buffer is for the
    // first look.
    if (m_impl->buffer.size() > (256u << 10))
        Bytes().swap(m_impl->buffer);
    for (const ClockRecord& record : batch.clocks)
        m_impl->clock.add(record);
    align(batch, m_impl->clock);
    batch.tornBytes = m_impl->scanner.tornBytes() - tornBefore;
    return batch;
}

std::int64_t RecordReader::offset() const
{
    return m_impl->offset;
}

} // namespace triaxis
