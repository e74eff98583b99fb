#include "storage/steady_bubble.h"

#include "engine/core/error.h"
#include "engine/record/clock_track.h"
#include "engine/record/frame_file.h"
#include "engine/record/payloads.h"
#include "engine/record/record_batch.h"
#include "engine/record/span_pairing.h"
#include "engine/timeline/metrics.h"

#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace triaxis
{
namespace
{

/// Only the wanted steps are decoded: a record holds far more spans than a summary needs.
std::vector<Span> spansOf(const RunDirectory& run, Rank rank, const std::set<std::int32_t>& steps)
{
    RecordBatch batch;
    FrameFile file(run.recordFile(rank));
    file.poll(true, [&](const FrameView& frame) {
        const auto type = FrameType(frame.type);
        const auto step = payload::stepOf(frame);
        if (type == FrameType::Clock || (type == FrameType::Spans && step && steps.contains(*step)))
            payload::decode(frame, batch);
    });
    keepRank(batch, rank);
    ClockTrack clock;
    for (const ClockRecord& record : batch.clocks)
        clock.add(record);
    alignToRankZero(batch, clock);
    return std::move(batch.spans);
}

} // namespace

double meanBubble(const RunDirectory& run, const RunPlan& plan, const std::set<std::int32_t>& steps)
{
    if (steps.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::optional<SpanPairing> pairing;
    try {
        pairing.emplace(plan);
    } catch (const Error&) { // a plan that never ran
        return std::numeric_limits<double>::quiet_NaN();
    }
    std::map<std::int32_t, std::vector<Span>> byStep;
    for (int rank = 0; rank < plan.layout.ranks(); ++rank)
        for (const Span& span : spansOf(run, Rank(rank), steps))
            byStep[span.step].push_back(span);
    double sum = 0;
    int count = 0;
    for (auto& [step, spans] : byStep) {
        pairing->pair(spans);
        const double share = bubble(stepShares(spans, plan.layout), plan.layout);
        if (!std::isfinite(share))
            continue;
        sum += share;
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

} // namespace triaxis
