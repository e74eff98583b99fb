#include "engine/timeline/lanes.h"

#include "engine/core/parallel.h"
#include "engine/core/units.h"
#include "engine/timeline/flatten.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr std::size_t worthThreads =
    50'000; ///< spans; fewer are sooner appended than threads are started

bool isDrawable(const Span& span)
{
    return span.lane <= Lane::Copy && std::isfinite(span.ready) && std::isfinite(span.begin) &&
           std::isfinite(span.end);
}

bool isEarlier(const Span* a, const Span* b)
{
    return std::tuple(a->begin, a->end, a->step, a->id.packed) <
           std::tuple(b->begin, b->end, b->step, b->id.packed);
}

void addCommunication(std::vector<Activity>& activities, const Span& span)
{
    activities.push_back({std::min(span.ready, span.begin), span.begin, true, Category::Wait,
                          span.id, span.step, span.bytes});
    activities.push_back(
        {span.begin, span.end, false, categoryOf(span.id.kind()), span.id, span.step, span.bytes});
}

/// Communication of one rank, stream by stream; those without spans stay empty.
using Streams = std::array<std::vector<Activity>, std::size_t(Lane::Copy) + 1>;

Track& trackOfStream(RankTracks& tracks, Lane lane)
{
    const auto at = std::find_if(tracks.streams.begin(), tracks.streams.end(),
                                 [lane](const StreamTrack& s) { return s.lane >= lane; });
    if (at != tracks.streams.end() && at->lane == lane)
        return at->track;
    return tracks.streams.insert(at, {lane, {}})->track;
}

void appendPieces(Track& track, std::vector<Activity> activities)
{
    for (const Activity& piece : flatten(std::move(activities)))
        track.append(piece.begin, piece.end, piece.category, piece.id, piece.step, 0, 0,
                     piece.bytes);
}

/// Spans of one rank, whatever their order.
void appendRank(RankTracks& tracks, std::vector<const Span*>& spans)
{
    if (!std::is_sorted(spans.begin(), spans.end(), isEarlier))
        std::sort(spans.begin(), spans.end(), isEarlier);
    std::vector<Activity> activities;
    Streams streams;
    for (const Span* span : spans) {
        if (span->lane == Lane::Compute)
            tracks.compute.append(span->begin, span->end, categoryOf(span->id.kind()), span->id,
                                  span->step, span->tensorWait, span->tensorTransfer, span->flops);
        else
            addCommunication(streams[std::size_t(span->lane)], *span);
    }
    for (std::size_t lane = 0; lane < streams.size(); ++lane) {
        if (streams[lane].empty())
            continue;
        activities.insert(activities.end(), streams[lane].begin(), streams[lane].end());
        appendPieces(trackOfStream(tracks, Lane(lane)), std::move(streams[lane]));
    }
    appendPieces(tracks.communication, std::move(activities));
}

using StepRange = std::pair<std::int32_t, std::pair<double, double>>;

void extend(std::vector<StepRange>& ranges, const Span& span)
{
    if (ranges.empty() || ranges.back().first < span.step) {
        ranges.push_back({span.step, {span.begin, span.end}});
        return;
    }
    auto at = ranges.end() - 1; // spans mostly come step by step
    if (at->first != span.step) {
        at = std::lower_bound(
            ranges.begin(), ranges.end(), span.step,
            [](const StepRange& range, std::int32_t step) { return range.first < step; });
        if (at->first != span.step)
            at = ranges.insert(at, {span.step, {span.begin, span.end}});
    }
    at->second.first = std::min(at->second.first, span.begin);
    at->second.second = std::max(at->second.second, span.end);
}

} // namespace

std::string Lanes::timeText(double time) const
{
    return m_whole > 0 ? units::percent(time / m_whole) : units::seconds(time);
}

Lanes::Lanes(const Layout& layout) : Lanes(layout, {}) {}

Lanes::Lanes(const Layout& layout, const std::vector<Rank>& ranks) : m_layout(layout)
{
    m_ranks.resize(std::size_t(std::max(0, layout.ranks())));
    for (std::size_t r = 0; r < m_ranks.size(); ++r) {
        m_ranks[r].rank = r < ranks.size() ? ranks[r] : Rank(int(r));
        m_ranks[r].at = coordinatesOf(layout, Rank(int(r)));
    }
    std::sort(m_ranks.begin(), m_ranks.end(), [](const RankTracks& a, const RankTracks& b) {
        return std::tuple(a.at.data, a.at.pipeline, a.at.tensor) <
               std::tuple(b.at.data, b.at.pipeline, b.at.tensor);
    });
    std::size_t end = 0;
    for (const RankTracks& tracks : m_ranks)
        end = std::max(end, std::size_t(tracks.rank.value) + 1);
    m_laneOf.assign(end, m_ranks.size());
    for (std::size_t lane = 0; lane < m_ranks.size(); ++lane)
        m_laneOf[std::size_t(m_ranks[lane].rank.value)] = lane;
}

std::optional<std::size_t> Lanes::laneOf(Rank rank) const
{
    if (rank.value < 0 || std::size_t(rank.value) >= m_laneOf.size() ||
        m_laneOf[std::size_t(rank.value)] >= m_ranks.size())
        return std::nullopt;
    return m_laneOf[std::size_t(rank.value)];
}

std::vector<Lane> Lanes::streams() const
{
    std::vector<Lane> all;
    for (const RankTracks& tracks : m_ranks) {
        for (const StreamTrack& stream : tracks.streams) {
            const auto at = std::lower_bound(all.begin(), all.end(), stream.lane);
            if (at == all.end() || *at != stream.lane)
                all.insert(at, stream.lane);
        }
    }
    return all;
}

void Lanes::append(const std::vector<Span>& spans)
{
    std::vector<std::vector<const Span*>> ofLane(m_ranks.size());
    for (const Span& span : spans) {
        const std::optional<std::size_t> lane = laneOf(span.rank);
        if (!lane || !isDrawable(span))
            continue;
        ofLane[*lane].push_back(&span);
        extend(m_stepRanges, span);
    }
    const auto appendTo = [&](std::size_t lane) { appendRank(m_ranks[lane], ofLane[lane]); };
    if (spans.size() >= worthThreads) {
        inParallel(m_ranks.size(), appendTo);
        return;
    }
    for (std::size_t lane = 0; lane < m_ranks.size(); ++lane)
        appendTo(lane);
}

double Lanes::begin() const
{
    if (m_stepRanges.empty())
        return 0;
    double earliest = std::numeric_limits<double>::infinity();
    for (const StepRange& range : m_stepRanges)
        earliest = std::min(earliest, range.second.first);
    return earliest;
}

double Lanes::end() const
{
    if (m_stepRanges.empty())
        return 0;
    double latest = -std::numeric_limits<double>::infinity();
    for (const StepRange& range : m_stepRanges)
        latest = std::max(latest, range.second.second);
    return latest;
}

std::pair<std::int32_t, std::int32_t> Lanes::steps() const
{
    if (m_stepRanges.empty())
        return {0, -1};
    return {m_stepRanges.front().first, m_stepRanges.back().first};
}

std::pair<double, double> Lanes::stepRange(std::int32_t step) const
{
    const auto at = std::lower_bound(
        m_stepRanges.begin(), m_stepRanges.end(), step,
        [](const StepRange& range, std::int32_t wanted) { return range.first < wanted; });
    if (at == m_stepRanges.end() || at->first != step)
        return {0, 0};
    return at->second;
}

} // namespace triaxis
