#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double axisBand = 24;
constexpr double headingBand = 22;
constexpr double gapBetweenTracks = 3;
constexpr double gapBetweenStreams = 1;
constexpr double gapBelowPrediction = 1;
constexpr double topMargin = 4;
constexpr double belowPinned = 4;
constexpr double groupFactor = 2; // a collapsed group is as much taller than a lane

} // namespace

TimelineGeometry::TimelineGeometry(const Lanes& lanes, const TimelineView& view)
    : m_view(view), m_lanes(lanes), m_rows(view.rows)
{
    if (!m_rows)
        m_rows = std::make_shared<const std::vector<LaneRow>>(arrangeLanes(lanes, {}));
    m_axisHeight = view.axis ? axisBand : 0;
    m_computeOffset = view.predicted ? view.predictedHeight + gapBelowPrediction : 0;
    double top = m_axisHeight + topMargin;
    m_tops.reserve(m_rows->size() + 1);
    for (std::size_t i = 0; i < m_rows->size(); ++i) {
        if (i > 0 && (*m_rows)[i - 1].pinned && !(*m_rows)[i].pinned)
            top += belowPinned;
        m_pinned += (*m_rows)[i].pinned;
        m_tops.push_back(top);
        top += rowHeight(i);
    }
    m_tops.push_back(top);
    m_height = m_rows->empty() ? m_axisHeight : top;
}

double TimelineGeometry::pitch() const
{
    return std::max(1.0, communicationOffset() + m_view.communicationHeight + m_view.laneGap);
}

double TimelineGeometry::rowHeight(std::size_t row) const
{
    const LaneRow& shown = (*m_rows)[row];
    if (shown.kind == LaneRow::Kind::Heading)
        return headingBand;
    return std::max(1.0, communicationOffset(shown) + communicationHeight(shown) + m_view.laneGap);
}

double TimelineGeometry::shownTop(std::size_t row) const
{
    return m_tops[row] - (row < m_pinned ? 0 : m_view.scrollY);
}

double TimelineGeometry::pinnedBottom() const
{
    return m_pinned == 0 ? m_axisHeight : m_tops[m_pinned - 1] + rowHeight(m_pinned - 1);
}

double TimelineGeometry::computeHeight(const LaneRow& row) const
{
    return row.kind == LaneRow::Kind::Group ? groupFactor * m_view.computeHeight
                                            : m_view.computeHeight;
}

double TimelineGeometry::communicationOffset(const LaneRow& row) const
{
    return m_computeOffset + computeHeight(row) +
           (communicationHeight(row) > 0 ? gapBetweenTracks : 0);
}

double TimelineGeometry::communicationOffset() const
{
    return communicationOffset(LaneRow{});
}

double TimelineGeometry::communicationHeight(const LaneRow& row) const
{
    if (!(m_view.communicationHeight > 0) || row.kind == LaneRow::Kind::Heading)
        return 0;
    if (!m_view.streams || row.kind != LaneRow::Kind::Lane || m_lanes.ranks().empty())
        return m_view.communicationHeight;
    const double streams = double(m_lanes.ranks()[row.lane].streams.size());
    return streams > 0
               ? streams * (m_view.communicationHeight + gapBetweenStreams) - gapBetweenStreams
               : m_view.communicationHeight;
}

double TimelineGeometry::streamOffset(int stream) const
{
    return m_computeOffset + m_view.computeHeight + gapBetweenTracks +
           std::max(0, stream) * (m_view.communicationHeight + gapBetweenStreams);
}

std::optional<std::size_t> TimelineGeometry::rowOfLane(std::size_t lane) const
{
    for (std::size_t i = 0; i < m_rows->size(); ++i) {
        if ((*m_rows)[i].kind == LaneRow::Kind::Lane && (*m_rows)[i].lane == lane)
            return i;
    }
    return std::nullopt;
}

double TimelineGeometry::laneTop(std::size_t lane) const
{
    for (std::size_t i = 0; i < m_rows->size(); ++i) {
        const LaneRow& row = (*m_rows)[i];
        const bool here =
            row.kind == LaneRow::Kind::Lane
                ? row.lane == lane
                : row.kind == LaneRow::Kind::Group &&
                      std::find(row.lanes.begin(), row.lanes.end(), lane) != row.lanes.end();
        if (here)
            return m_tops[i] + m_computeOffset;
    }
    return -1;
}

std::pair<std::size_t, std::size_t> TimelineGeometry::rowsWithin(double top, double bottom) const
{
    const auto begin = m_tops.begin() + std::ptrdiff_t(m_pinned);
    const auto end = m_tops.end() - 1;
    auto first = std::upper_bound(begin, end, top);
    if (first != begin)
        --first;
    const auto last = std::lower_bound(first, end, bottom);
    return {std::size_t(first - m_tops.begin()), std::size_t(last - m_tops.begin())};
}

TimelineGeometry::RowAt TimelineGeometry::within(std::size_t row, double y) const
{
    RowAt at{row, false, -1};
    const LaneRow& shown = (*m_rows)[row];
    if (shown.kind == LaneRow::Kind::Heading || !(m_view.communicationHeight > 0))
        return at;
    const double border = (m_computeOffset + computeHeight(shown) + communicationOffset(shown)) / 2;
    at.communication = y >= border;
    if (!at.communication || !m_view.streams || shown.kind != LaneRow::Kind::Lane)
        return at;
    const int streams = int(m_lanes.ranks()[shown.lane].streams.size());
    const double pitch = m_view.communicationHeight + gapBetweenStreams;
    at.stream = streams == 0
                    ? -1
                    : std::clamp(int((y - communicationOffset(shown)) / pitch), 0, streams - 1);
    return at;
}

std::optional<TimelineGeometry::RowAt> TimelineGeometry::rowAt(double y) const
{
    const auto look = [&](std::size_t row) -> std::optional<RowAt> {
        const double inside = y - shownTop(row);
        const bool heading = (*m_rows)[row].kind == LaneRow::Kind::Heading;
        const double bottom = rowHeight(row) - (heading ? 0 : m_view.laneGap);
        if (inside < 0 || inside >= bottom)
            return std::nullopt;
        return within(row, inside);
    };
    for (std::size_t row = 0; row < m_pinned; ++row) {
        if (const auto found = look(row))
            return found;
    }
    if (m_pinned > 0 && y < pinnedBottom())
        return std::nullopt;
    const auto [first, last] = rowsWithin(y + m_view.scrollY, y + m_view.scrollY + 1);
    for (std::size_t row = first; row < last; ++row) {
        if (const auto found = look(row))
            return found;
    }
    return std::nullopt;
}

double TimelineGeometry::plotWidth() const
{
    return std::max(1.0, m_view.width - m_view.headerWidth);
}

double TimelineGeometry::pixelsPerSecond() const
{
    const double seconds = m_view.to - m_view.from;
    return seconds > 0 && std::isfinite(seconds) ? plotWidth() / seconds : plotWidth();
}

} // namespace triaxis
