#include "storage/record_index.h"

#include "engine/record/clock_track.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"
#include "engine/record/record_batch.h"

#include <algorithm>

namespace triaxis
{

RecordIndex indexRecord(const std::filesystem::path& file, Rank rank, std::int64_t offset,
                        bool final)
{
    RecordIndex index;
    RecordBatch batch;
    FrameFile frames(file, offset);
    frames.poll(final, [&](const FrameView& frame) {
        const auto type = FrameType(frame.type);
        const auto step = payload::stepOf(frame);
        if (step) {
            StepPlace& place =
                index.places.try_emplace(*step, StepPlace{frame.offset, 0, 0}).first->second;
            if (type == FrameType::Spans)
                place.spans += payload::spanCount(frame);
            if (type == FrameType::Spans || type == FrameType::Slots)
                place.spanBytes += std::int64_t(frameHeaderBytes + frame.payload.size());
        }
        if (type == FrameType::Step || type == FrameType::Memory || type == FrameType::Clock)
            payload::decode(frame, batch);
    });
    keepRank(batch, rank);
    // Results come from rank 0, whose clock is the run's, so that clocks before `offset` are not
    // missed.
    ClockTrack clock;
    for (const ClockRecord& record : batch.clocks)
        clock.add(record);
    alignToRankZero(batch, clock);
    for (const MemorySample& sample : batch.memory)
        index.peakBytes = std::max(index.peakBytes, sample.peakTotal);
    index.results = std::move(batch.steps);
    index.end = frames.offset();
    return index;
}

} // namespace triaxis
