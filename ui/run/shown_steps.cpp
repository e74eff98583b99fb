#include "ui/run/shown_steps.h"

#include "engine/timeline/steady_step.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/widgets/lane_statistics.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

template <class Store, class Take>
void forEach(const Store& store, const ShownSteps& steps, Take take)
{
    const auto& entries = store.entries();
    auto entry = std::lower_bound(entries.begin(), entries.end(), steps.first,
                                  [](const auto& e, std::int32_t step) { return e.step < step; });
    for (; entry != entries.end() && entry->step <= steps.last; ++entry)
        take(entry->item);
}

} // namespace

QString ShownSteps::text() const
{
    if (!any())
        return {};
    if (first == last)
        return Words::tr("step %1").arg(first);
    return Words::tr("steps %1–%2").arg(first).arg(last);
}

ShownSteps shownSteps(const Lanes& lanes, const TimeWindow& range)
{
    const auto [first, last] = stepsShown(lanes, range);
    return {first, last};
}

std::int32_t steadyStepOf(const Lanes& lanes)
{
    SteadyStep steady;
    for (const RankTracks& rank : lanes.ranks()) {
        const Track& track = rank.compute;
        Span extent; // of a step on this rank, which is all that counts
        extent.rank = rank.rank;
        extent.lane = Lane::Compute;
        for (std::size_t i = 0; i < track.size(); ++i) {
            if (i == 0 || track.step(i) != extent.step) {
                if (i > 0)
                    steady.add(extent);
                extent.step = track.step(i);
                extent.begin = track.begin(i);
            }
            extent.end = track.end(i);
        }
        if (track.size() > 0)
            steady.add(extent);
    }
    return steady.step();
}

std::vector<StepShares> sharesOf(const RunData& run, const ShownSteps& steps)
{
    std::vector<StepShares> shares;
    forEach(run.details(), steps,
            [&](const StepDetail& detail) { shares.push_back(detail.shares); });
    return shares;
}

std::vector<StepTraffic> trafficOf(const RunData& run, const ShownSteps& steps)
{
    std::vector<StepTraffic> traffic;
    forEach(run.details(), steps,
            [&](const StepDetail& detail) { traffic.push_back(detail.traffic); });
    return traffic;
}

std::vector<Span> spansOf(const RunData& run, const ShownSteps& steps)
{
    std::vector<Span> spans;
    forEach(run.spans(), steps, [&](const std::shared_ptr<const std::vector<Span>>& of) {
        spans.insert(spans.end(), of->begin(), of->end());
    });
    return spans;
}

QString basisText(const ShownSteps& steps, std::size_t kept)
{
    const auto shown = std::size_t(std::max(0, steps.last - steps.first + 1));
    if (kept >= shown)
        return steps.text();
    return Words::tr("%1, %2 of %3 kept")
        .arg(steps.text(), wholeNumber(std::int64_t(kept)), wholeNumber(std::int64_t(shown)));
}

} // namespace triaxis::ui
