#include "engine/timeline/timeline_geometry.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/lane_view.h"

#include <QScrollBar>

#include <algorithm>

// Where everything of the view lies.

namespace triaxis::ui
{
namespace
{

constexpr double lowestLane = 18;
constexpr double tallestLane = 32;
constexpr double streamHeight = 9;
constexpr double communicationGrowth = 0.25; ///< of what the compute track has grown
constexpr double predictedGrowth = 0.45;
constexpr double lowestPrediction = 10; ///< room for microbatch numbers

} // namespace

TimelineView LaneView::lowestView() const
{
    TimelineView view;
    view.computeHeight = lowestLane;
    view.rows = m_rows;
    if (isPredictionShown())
        view.predicted = m_predicted;
    view.predictedHeight = lowestPrediction;
    view.streams = m_streams;
    return view;
}

int LaneView::lowestHeight() const
{
    return m_lanes && m_rows
               ? int(std::ceil(timelineHeight(*m_lanes, lowestView()) * fontScale())) +
                     2 * frameWidth()
               : minimumSizeHint().height();
}

double LaneView::computeHeight() const
{
    if (!m_lanes || !m_rows || m_rows->empty())
        return lowestLane;
    const TimelineView view = lowestView();
    double tracks = 0;
    for (const LaneRow& row : *m_rows)
        tracks += row.kind == LaneRow::Kind::Lane ? 1 : row.kind == LaneRow::Kind::Group ? 2 : 0;
    const double spare = viewport()->height() / fontScale() - timelineHeight(*m_lanes, view);
    const double growth = 1 + communicationGrowth + (isPredictionShown() ? predictedGrowth : 0);
    const double more = spare / (std::max(1.0, tracks) * growth);
    return std::clamp(lowestLane + more, lowestLane, tallestLane);
}

TimelineView LaneView::view() const
{
    TimelineView view;
    view.from = window().from;
    view.to = window().to;
    view.width = viewport()->width() / fontScale();
    view.height = viewport()->height() / fontScale();
    view.headerWidth = std::min(m_headerWidth, view.width / 2);
    view.computeHeight = computeHeight();
    view.communicationHeight += (view.computeHeight - lowestLane) * communicationGrowth;
    if (m_streams)
        view.communicationHeight = streamHeight;
    view.scrollY = verticalScrollBar()->value() / fontScale();
    view.rows = m_rows;
    view.streams = m_streams;
    view.colourBy = m_colourBy;
    view.places = m_places;
    view.flagged = m_flagged;
    if (isPredictionShown()) {
        view.predicted = m_predicted;
        view.predictedHeight =
            lowestPrediction + (view.computeHeight - lowestLane) * predictedGrowth;
    }
    return view;
}

TimeMapping LaneView::mapping() const
{
    const double left = std::min(m_headerWidth * fontScale(), viewport()->width() / 2.0);
    return {window(), left, std::max(1.0, viewport()->width() - left)};
}

QRectF LaneView::plotRect() const
{
    const TimeMapping map = mapping();
    return {map.left, 0, map.width, double(viewport()->height())};
}

QRectF LaneView::laneRect(std::size_t lane, bool communication) const
{
    if (!m_lanes || !m_rows)
        return {};
    const TimelineView shown = view();
    const TimelineGeometry geometry(*m_lanes, shown);
    const auto row = geometry.rowOfLane(lane);
    if (!row)
        return {};
    const LaneRow& found = geometry.rows()[*row];
    const double top =
        geometry.shownTop(*row) +
        (communication ? geometry.communicationOffset(found) : geometry.computeOffset());
    const double height = !communication ? shown.computeHeight
                                         : geometry.rowHeight(*row) -
                                               geometry.communicationOffset(found) - shown.laneGap;
    return {0, top * fontScale(), double(viewport()->width()), height * fontScale()};
}

QRectF LaneView::boxOf(const SpanPlace& place) const
{
    if (!m_lanes || !m_rows)
        return {};
    const TimelineView shown = view();
    const TimelineGeometry geometry(*m_lanes, shown);
    const auto row = geometry.rowOfLane(place.lane);
    if (!row)
        return {};
    const LaneRow& found = geometry.rows()[*row];
    double top = geometry.shownTop(*row);
    if (!place.communication)
        top += geometry.computeOffset();
    else if (place.stream >= 0 && m_streams)
        top += geometry.streamOffset(place.stream);
    else
        top += geometry.communicationOffset(found);
    const double height = place.communication ? shown.communicationHeight : shown.computeHeight;
    const Track& track = trackOf(*m_lanes, place);
    const TimeMapping map = mapping();
    const double left = map.x(track.begin(place.index));
    const double right = map.x(track.end(place.index));
    return {left, top * fontScale(), std::max(2.0, right - left), height * fontScale()};
}

} // namespace triaxis::ui
