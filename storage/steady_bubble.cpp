#include "storage/steady_bubble.h"

#include "engine/core/error.h"
#include "engine/record/clock_track.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"
#include "engine/record/record_batch.h"
#include "engine/record/span_pairing.h"
#include "engine/timeline/metrics.h"
#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace triaxis
{
namespace
{

using FrameUse = std::function<void(const FrameView&)>;

/// Visits the Spans frames of a rank's file; returns its clock.
ClockTrack readSpanFrames(const RunDirectory& run, Rank rank, const FrameUse& use)
{
    RecordBatch clocks;
    FrameFile file(run.recordFile(rank));
    file.poll(true, [&](const FrameView& frame) {
        if (FrameType(frame.type) == FrameType::Clock)
            payload::decode(frame, clocks);
        else if (FrameType(frame.type) == FrameType::Spans)
            use(frame);
    });
    ClockTrack clock;
    for (const ClockRecord& record : clocks.clocks)
        clock.add(record);
    return clock;
}

/// For each step of a rank one span that reaches from its first begin to its last end on the
/// compute lane, on rank 0's clock.
std::vector<Span> extentsOf(const RunDirectory& run, Rank rank)
{
    std::map<std::int32_t, Span> extents;
    RecordBatch scratch;
    const ClockTrack clock = readSpanFrames(run, rank, [&](const FrameView& frame) {
        scratch.spans.clear();
        payload::decode(frame, scratch);
        for (const Span& span : scratch.spans) {
            if (span.rank != rank || span.lane != Lane::Compute)
                continue;
            Span& extent = extents.try_emplace(span.step, span).first->second;
            extent.begin = std::min(extent.begin, span.begin);
            extent.end = std::max(extent.end, span.end);
        }
    });
    RecordBatch all;
    for (const auto& [step, extent] : extents)
        all.spans.push_back(extent);
    alignToRankZero(all, clock);
    return std::move(all.spans);
}

std::vector<Span> spansOf(const RunDirectory& run, Rank rank, std::int32_t step)
{
    RecordBatch batch;
    const ClockTrack clock = readSpanFrames(run, rank, [&](const FrameView& frame) {
        if (payload::stepOf(frame) == step)
            payload::decode(frame, batch);
    });
    keepRank(batch, rank);
    alignToRankZero(batch, clock);
    return std::move(batch.spans);
}

} // namespace

double steadyBubble(const RunDirectory& run, const RunPlan& plan)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    SteadyStep steady;
    for (int rank = 0; rank < plan.layout.ranks(); ++rank)
        steady.add(extentsOf(run, Rank(rank)));
    const std::int32_t step = steady.step();
    if (step < 0)
        return none;
    std::vector<Span> spans;
    for (int rank = 0; rank < plan.layout.ranks(); ++rank)
        for (const Span& span : spansOf(run, Rank(rank), step))
            spans.push_back(span);
    try {
        SpanPairing(plan).pair(spans);
    } catch (const Error&) { // a plan that never ran
        return none;
    }
    return bubble(stepShares(spans, plan.layout), plan.layout);
}

} // namespace triaxis
