#include "engine/record/record_batch.h"
#include "engine/record/run_directory.h"

#include <algorithm>

namespace triaxis
{

bool isOneClock(double clockError)
{
    constexpr double resolution = 1e-9;
    return clockError > 0 && clockError <= resolution;
}

RunRecords readRun(const RunDirectory& run, int firstStep, int lastStep)
{
    const RunPlan plan = run.plan();
    const bool final = isFinal(run.status().state);
    RunRecords records;
    for (int index = 0; index < plan.layout.ranks(); ++index) {
        const Rank rank(index);
        RecordBatch batch = RecordReader(run.recordFile(rank)).poll(final);
        keepRank(batch, rank);
        std::erase_if(batch.spans, [&](const Span& span) {
            return span.step < firstStep || (lastStep >= 0 && span.step > lastStep);
        });
        append(records.all, std::move(batch));
    }
    for (const ClockRecord& clock : records.all.clocks)
        records.clockError = std::max(records.clockError, clock.error);
    pairSpans(records.all.spans, plan);
    return records;
}

} // namespace triaxis
