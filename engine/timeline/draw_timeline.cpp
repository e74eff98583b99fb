#include "engine/timeline/display_list.h"

#include "engine/timeline/lane_painter.h"
#include "engine/timeline/time_axis.h"
#include "engine/timeline/timeline_geometry.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double smallestText = 8;
constexpr double headingReach = 24;

void addHint(DisplayList& list, const TimelineView& view, const char* text)
{
    list.items.emplace_back(
        DrawText{view.width / 2, list.height / 2, text, Ink::MutedText, 12, Align::Centre});
}

bool hasRange(const TimelineView& view)
{
    return std::isfinite(view.from) && std::isfinite(view.to) && view.to > view.from;
}

constexpr double emptyHeight = 64;

void addScrolledRows(DisplayList& list, const Lanes& lanes, const TimelineView& view,
                     const TimelineGeometry& geometry)
{
    // A heading stands above its first lane and may be in sight without it.
    const auto [first, last] = geometry.rowsWithin(
        view.scrollY + geometry.pinnedBottom() - headingReach, view.scrollY + list.height);
    double labelBottom = -1e300;
    for (std::size_t row = first; row < last; ++row) {
        const double top = geometry.shownTop(row);
        const bool labelled = top >= labelBottom;
        paintRow(list, lanes, view, geometry, row, top, labelled);
        if (labelled && geometry.rows()[row].kind == LaneRow::Kind::Lane)
            labelBottom = top + smallestText + 2;
    }
}

void addPinnedRows(DisplayList& list, const Lanes& lanes, const TimelineView& view,
                   const TimelineGeometry& geometry)
{
    if (geometry.pinnedRows() == 0)
        return;
    const double bottom = geometry.pinnedBottom();
    list.items.emplace_back(FillRect{0, 0, view.width, bottom, Ink::Background});
    for (std::size_t row = 0; row < geometry.pinnedRows(); ++row)
        paintRow(list, lanes, view, geometry, row, geometry.shownTop(row), true);
    list.items.emplace_back(StrokeLine{0, bottom - 0.5, view.width, bottom - 0.5, Ink::Line, 1});
}

} // namespace

double timelineHeight(const Lanes& lanes, const TimelineView& view)
{
    if (lanes.ranks().empty() || lanes.stepRanges().empty())
        return emptyHeight;
    return TimelineGeometry(lanes, view).height();
}

DisplayList drawTimeline(const Lanes& lanes, const TimelineView& view)
{
    DisplayList list;
    list.width = view.width;
    list.height = view.height < 0 ? timelineHeight(lanes, view) : view.height;
    if (lanes.stepRanges().empty() || !hasRange(view)) {
        addHint(list, view, lanes.stepRanges().empty() ? "No spans recorded yet" : "No time range");
        return list;
    }
    const TimelineGeometry geometry(lanes, view);
    const double shownBottom = std::min(list.height, geometry.height() - view.scrollY);
    drawGrid(list, lanes, view, geometry, shownBottom);
    addScrolledRows(list, lanes, view, geometry);
    addPinnedRows(list, lanes, view, geometry);
    if (view.axis)
        drawAxis(list, lanes, view, geometry);
    return list;
}

} // namespace triaxis
