#include "engine/timeline/lanes.h"

#include "engine/timeline/flatten.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace triaxis
{
namespace
{

bool isDrawable(const Span& span, const Layout& layout)
{
    return span.rank.value >= 0 && span.rank.value < layout.ranks() && std::isfinite(span.ready) &&
           std::isfinite(span.begin) && std::isfinite(span.end);
}

bool isEarlier(const Span* a, const Span* b)
{
    return std::tuple(a->begin, a->end, a->step, a->id.packed) <
           std::tuple(b->begin, b->end, b->step, b->id.packed);
}

void addCommunication(std::vector<Activity>& activities, const Span& span)
{
    activities.push_back(
        {std::min(span.ready, span.begin), span.begin, true, Category::Wait, span.id, span.step});
    activities.push_back(
        {span.begin, span.end, false, categoryOf(span.id.kind()), span.id, span.step});
}

using StepRange = std::pair<std::int32_t, std::pair<double, double>>;

void extend(std::vector<StepRange>& ranges, const Span& span)
{
    if (ranges.empty() || ranges.back().first < span.step) {
        ranges.push_back({span.step, {span.begin, span.end}});
        return;
    }
    auto at = std::lower_bound(
        ranges.begin(), ranges.end(), span.step,
        [](const StepRange& range, std::int32_t step) { return range.first < step; });
    if (at->first != span.step)
        at = ranges.insert(at, {span.step, {span.begin, span.end}});
    at->second.first = std::min(at->second.first, span.begin);
    at->second.second = std::max(at->second.second, span.end);
}

} // namespace

Lanes::Lanes(const Layout& layout) : m_layout(layout)
{
    m_ranks.resize(std::size_t(std::max(0, layout.ranks())));
    for (std::size_t r = 0; r < m_ranks.size(); ++r) {
        m_ranks[r].rank = Rank(int(r));
        m_ranks[r].at = coordinatesOf(layout, Rank(int(r)));
    }
    std::sort(m_ranks.begin(), m_ranks.end(), [](const RankTracks& a, const RankTracks& b) {
        return std::tuple(a.at.data, a.at.pipeline, a.at.tensor) <
               std::tuple(b.at.data, b.at.pipeline, b.at.tensor);
    });
}

void Lanes::append(const std::vector<Span>& spans)
{
    std::vector<std::vector<const Span*>> ofRank(m_ranks.size());
    for (const Span& span : spans) {
        if (!isDrawable(span, m_layout))
            continue;
        ofRank[std::size_t(span.rank.value)].push_back(&span);
        extend(m_stepRanges, span);
    }
    for (RankTracks& tracks : m_ranks) {
        std::vector<const Span*>& own = ofRank[std::size_t(tracks.rank.value)];
        if (!std::is_sorted(own.begin(), own.end(), isEarlier))
            std::sort(own.begin(), own.end(), isEarlier);
        std::vector<Activity> activities;
        for (const Span* span : own) {
            if (span->lane == Lane::Compute)
                tracks.compute.append(span->begin, span->end, categoryOf(span->id.kind()), span->id,
                                      span->step, span->tensorWait, span->tensorTransfer);
            else
                addCommunication(activities, *span);
        }
        for (const Activity& piece : flatten(std::move(activities)))
            tracks.communication.append(piece.begin, piece.end, piece.category, piece.id,
                                        piece.step);
    }
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
