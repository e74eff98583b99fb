#include "ui/widgets/lane_statistics.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double edgeShare = 0.02; ///< of a window

bool hasMicrobatch(Kind kind)
{
    switch (kind) {
    case Kind::Forward:
    case Kind::Backward:
    case Kind::BackwardInput:
    case Kind::BackwardWeight:
    case Kind::SendActivation:
    case Kind::ReceiveActivation:
    case Kind::SendGradient:
    case Kind::ReceiveGradient:
    case Kind::TensorCollective:
        return true;
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
        return false;
    }
    return false;
}

QString whatOf(const Track& track, std::size_t index)
{
    const InstructionId id = track.id(index);
    QString what = spoken(toText(id.kind()));
    if (hasMicrobatch(id.kind()))
        what += Words::tr(" of microbatch %1").arg(id.microbatch().value);
    if (track.category(index) == Category::Wait)
        what = Words::tr("waiting: ") + what;
    return what;
}

} // namespace

RangeStatistics measure(const Lanes& lanes, const TimeWindow& range)
{
    RangeStatistics statistics;
    statistics.seconds = range.span();
    double idle = 0;
    for (const RankTracks& rank : lanes.ranks()) {
        const Track& track = rank.compute;
        const auto shares = track.shares(range.from, range.to);
        idle += shares[std::size_t(Category::Idle)];
        std::size_t index = track.lowerBound(range.from);
        for (; index < track.size() && track.begin(index) < range.to; ++index) {
            const double length = track.end(index) - track.begin(index);
            statistics.shortest =
                statistics.spans == 0 ? length : std::min(statistics.shortest, length);
            statistics.longest = std::max(statistics.longest, length);
            statistics.sum += length;
            ++statistics.spans;
        }
    }
    const double total = range.span() * double(lanes.ranks().size());
    statistics.busy = total > 0 ? 1 - idle / total : 0;
    return statistics;
}

QString toText(const RangeStatistics& statistics, const Lanes& lanes)
{
    const auto time = [&](double seconds) { return spoken(lanes.timeText(seconds)); };
    QString text = Words::tr("Δ %1 · %2 busy · %3 idle · %4")
                       .arg(time(statistics.seconds), spoken(units::percent(statistics.busy)),
                            spoken(units::percent(statistics.idle())),
                            counted(std::int64_t(statistics.spans), QStringLiteral("span")));
    if (statistics.spans > 0)
        text += Words::tr(" · sum %1 · mean %2 · min %3 · max %4")
                    .arg(time(statistics.sum), time(statistics.mean()), time(statistics.shortest),
                         time(statistics.longest));
    return text;
}

std::pair<int, int> stepsWithin(const Lanes& lanes, const TimeWindow& window)
{
    int first = 0;
    int last = -1;
    for (const RankTracks& rank : lanes.ranks()) {
        const Track& track = rank.compute;
        const std::size_t from = track.lowerBound(window.from);
        if (from >= track.size() || track.begin(from) >= window.to)
            continue;
        std::size_t to = track.lowerBound(window.to);
        if (to >= track.size() || track.begin(to) >= window.to)
            --to;
        first = last < first ? track.step(from) : std::min(first, int(track.step(from)));
        last = std::max(last, int(track.step(std::max(from, to))));
    }
    return {first, last};
}

std::pair<int, int> stepsShown(const Lanes& lanes, const TimeWindow& window)
{
    auto [first, last] = stepsWithin(lanes, window);
    const auto& steps = lanes.stepRanges();
    const auto at = [&](int step) {
        return std::lower_bound(steps.begin(), steps.end(), step,
                                [](const auto& one, int wanted) { return one.first < wanted; });
    };
    const auto onlyReachesOver = [&](int step) {
        const auto [begin, end] = lanes.stepRange(step);
        const double shown = std::min(end, window.to) - std::max(begin, window.from);
        return shown < edgeShare * window.span() && shown < (end - begin) / 2;
    };
    while (first < last && onlyReachesOver(first))
        first = std::next(at(first))->first;
    while (first < last && onlyReachesOver(last))
        last = std::prev(at(last))->first;
    return {first, last};
}

QString durationAgainst(double predicted, double measured)
{
    QString text = spoken(units::seconds(predicted));
    if (measured > 0)
        text += QStringLiteral(" (%1)").arg(errorText(predicted / measured - 1));
    return text;
}

QString lateText(double late)
{
    constexpr double same = 1e-9;
    if (std::abs(late) < same)
        return Words::tr("as predicted");
    return late > 0 ? spoken(units::seconds(late)) + Words::tr(" later than predicted")
                    : spoken(units::seconds(-late)) + Words::tr(" earlier than predicted");
}

QString describe(const Lanes& lanes, const SpanPlace& place)
{
    const RankTracks& rank = lanes.ranks()[place.lane];
    const Track& track = trackOf(lanes, place);
    const double stepBegin = lanes.stepRange(track.step(place.index)).first;
    const double duration = track.end(place.index) - track.begin(place.index);
    return Words::tr("rank %1 · %2\n%3\n%4, begins %5 into step %6")
        .arg(rank.rank.value)
        .arg(spoken(toText(rank.at)), whatOf(track, place.index), spoken(lanes.timeText(duration)),
             spoken(lanes.timeText(track.begin(place.index) - stepBegin)))
        .arg(track.step(place.index));
}

} // namespace triaxis::ui
