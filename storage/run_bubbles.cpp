#include "storage/run_bubbles.h"

#include "engine/core/error.h"
#include "engine/record/clock_track.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"
#include "engine/record/record_batch.h"
#include "engine/record/span_pairing.h"
#include "engine/timeline/kept_bubble.h"
#include "engine/timeline/metrics.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

namespace triaxis
{
namespace
{

constexpr std::int64_t spansAtOnce = 500'000; // 80 bytes each

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

struct Kept
{
    int ranks = 0; ///< that have spans of the step
    std::int64_t spans = 0;
};

/// By step, ascending.
std::map<std::int32_t, Kept> keptSteps(const RunDirectory& run, int ranks)
{
    std::map<std::int32_t, Kept> steps;
    for (int rank = 0; rank < ranks; ++rank) {
        std::int32_t latest = std::numeric_limits<std::int32_t>::min();
        readSpanFrames(run, Rank(rank), [&](const FrameView& frame) {
            const auto step = payload::stepOf(frame);
            if (!step)
                return;
            Kept& kept = steps[*step];
            kept.spans += payload::spanCount(frame);
            kept.ranks += *step != latest; // a step's frames follow each other
            latest = *step;
        });
    }
    return steps;
}

/// Of the steps from `first` to `last`.
std::map<std::int32_t, std::vector<Span>> spansOf(const RunDirectory& run, const RunPlan& plan,
                                                  std::int32_t first, std::int32_t last)
{
    std::map<std::int32_t, std::vector<Span>> steps;
    for (int rank = 0; rank < plan.layout.ranks(); ++rank) {
        RecordBatch batch;
        const ClockTrack clock = readSpanFrames(run, Rank(rank), [&](const FrameView& frame) {
            const auto step = payload::stepOf(frame);
            if (step && *step >= first && *step <= last)
                payload::decode(frame, batch);
        });
        keepRank(batch, Rank(rank));
        alignToRankZero(batch, clock);
        for (const Span& span : batch.spans)
            steps[span.step].push_back(span);
    }
    return steps;
}

} // namespace

double bubbleOfRun(const RunDirectory& run, const RunPlan& plan)
{
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const std::map<std::int32_t, Kept> kept = keptSteps(run, plan.layout.ranks());
    int most = 0; // a step that ranks did not finish together tells nothing
    for (const auto& [step, what] : kept)
        most = std::max(most, what.ranks);
    std::vector<StepBubble> bubbles;
    try {
        const SpanPairing pairing(plan);
        for (auto from = kept.begin(); from != kept.end();) {
            auto to = from;
            std::int64_t spans = 0;
            for (; to != kept.end() && (to == from || spans + to->second.spans <= spansAtOnce);
                 ++to)
                spans += to->second.spans;
            for (auto& [step, of] : spansOf(run, plan, from->first, std::prev(to)->first)) {
                const auto known = kept.find(step);
                if (known == kept.end() || known->second.ranks < most)
                    continue;
                pairing.pair(of);
                bubbles.push_back({step, bubble(stepShares(of, plan.layout), plan.layout)});
            }
            from = to;
        }
    } catch (const Error&) { // a plan that never ran
        return none;
    }
    return keptBubble(bubbles).bubble;
}

} // namespace triaxis
