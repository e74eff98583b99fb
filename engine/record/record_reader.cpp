#include "engine/record/clock_track.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"
#include "engine/record/record_batch.h"

namespace triaxis
{

struct RecordReader::Impl
{
    FrameFile file;
    ClockTrack clock;
};

RecordReader::RecordReader(const std::filesystem::path& file, std::int64_t offset)
    : m_impl(std::make_unique<Impl>(Impl{FrameFile(file, offset), {}}))
{
}

RecordReader::~RecordReader() = default;
RecordReader::RecordReader(RecordReader&&) noexcept = default;
RecordReader& RecordReader::operator=(RecordReader&&) noexcept = default;

RecordBatch RecordReader::poll(bool final)
{
    RecordBatch batch;
    const std::int64_t tornBefore = m_impl->file.tornBytes();
    m_impl->file.poll(final, [&](const FrameView& frame) { payload::decode(frame, batch); });
    for (const ClockRecord& record : batch.clocks)
        m_impl->clock.add(record);
    alignToRankZero(batch, m_impl->clock);
    batch.tornBytes = m_impl->file.tornBytes() - tornBefore;
    return batch;
}

std::int64_t RecordReader::offset() const
{
    return m_impl->file.offset();
}

} // namespace triaxis
