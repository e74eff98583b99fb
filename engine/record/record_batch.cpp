#include "engine/record/record_batch.h"

#include "engine/record/clock_track.h"

#include <iterator>
#include <utility>

namespace triaxis
{
namespace
{

template <class Record>
void moveTo(std::vector<Record>& all, std::vector<Record>& part)
{
    if (all.empty())
        all.swap(part);
    else
        all.insert(all.end(), std::make_move_iterator(part.begin()),
                   std::make_move_iterator(part.end()));
}

template <class Record>
void keepIn(std::vector<Record>& records, Rank rank)
{
    std::erase_if(records, [&](const Record& record) { return record.rank != rank; });
}

} // namespace

bool RecordBatch::empty() const
{
    return hellos.empty() && clocks.empty() && spans.empty() && memory.empty() && live.empty() &&
           paced.empty() && steps.empty() &&
           logs.empty() && faults.empty() && ended.empty() && tornBytes == 0 && droppedSpans == 0;
}

void append(RecordBatch& all, RecordBatch part)
{
    moveTo(all.hellos, part.hellos);
    moveTo(all.clocks, part.clocks);
    moveTo(all.spans, part.spans);
    moveTo(all.memory, part.memory);
    moveTo(all.live, part.live);
    moveTo(all.paced, part.paced);
    moveTo(all.steps, part.steps);
    moveTo(all.logs, part.logs);
    moveTo(all.faults, part.faults);
    moveTo(all.ended, part.ended);
    all.tornBytes += part.tornBytes;
    all.droppedSpans += part.droppedSpans;
}

void alignToRankZero(RecordBatch& batch, const ClockTrack& clock)
{
    for (Span& span : batch.spans) {
        span.ready = clock.toRankZero(span.ready);
        span.begin = clock.toRankZero(span.begin);
        span.end = clock.toRankZero(span.end);
    }
    for (MemorySample& sample : batch.memory)
        sample.time = clock.toRankZero(sample.time);
    for (SlotSample& slot : batch.paced) {
        slot.begin = clock.toRankZero(slot.begin);
        slot.end = clock.toRankZero(slot.end);
    }
    for (StepResult& step : batch.steps)
        step.begin = clock.toRankZero(step.begin);
    for (LogRecord& log : batch.logs)
        log.time = clock.toRankZero(log.time);
    for (FaultRecord& fault : batch.faults)
        fault.time = clock.toRankZero(fault.time);
}

void keepRank(RecordBatch& batch, Rank rank)
{
    keepIn(batch.hellos, rank);
    keepIn(batch.spans, rank);
    keepIn(batch.memory, rank);
    keepIn(batch.live, rank);
    keepIn(batch.paced, rank);
    keepIn(batch.logs, rank);
    keepIn(batch.faults, rank);
    std::erase_if(batch.ended, [&](Rank ended) { return ended != rank; });
}

} // namespace triaxis
