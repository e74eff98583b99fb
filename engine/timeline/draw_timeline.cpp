#include "engine/timeline/display_list.h"

#include "engine/core/parallel.h"
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

/// Columns of the collapsed groups among rows [first, last), side by side where there is much to
/// sum up; by row.
std::vector<GroupColumns> groupColumns(const Lanes& lanes, const TimelineView& view,
                                       const TimelineGeometry& geometry, std::size_t first,
                                       std::size_t last)
{
    constexpr double worthThreads = 50'000; // columns of single tracks
    std::vector<GroupColumns> groups(last - first);
    std::vector<std::size_t> rows;
    std::size_t tracks = 0;
    for (std::size_t row = first; row < last; ++row) {
        if (geometry.rows()[row].kind != LaneRow::Kind::Group)
            continue;
        rows.push_back(row);
        tracks += 2 * geometry.rows()[row].lanes.size();
    }
    const auto sumUp = [&](std::size_t i) {
        groups[rows[i] - first] = columnsOf(lanes, view, geometry, geometry.rows()[rows[i]]);
    };
    if (double(tracks) * geometry.plotWidth() >= worthThreads)
        inParallel(rows.size(), sumUp);
    else
        for (std::size_t i = 0; i < rows.size(); ++i)
            sumUp(i);
    return groups;
}

void addScrolledRows(DisplayList& list, const Lanes& lanes, const TimelineView& view,
                     const TimelineGeometry& geometry)
{
    // A heading stands above its first lane and may be in sight without it.
    const auto [first, last] = geometry.rowsWithin(
        view.scrollY + geometry.pinnedBottom() - headingReach, view.scrollY + list.height);
    const std::vector<GroupColumns> groups = groupColumns(lanes, view, geometry, first, last);
    double labelBottom = -1e300;
    for (std::size_t row = first; row < last; ++row) {
        const double top = geometry.shownTop(row);
        const bool labelled = top >= labelBottom;
        paintRow(list, lanes, view, geometry, row, top, labelled, groups[row - first]);
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
    const std::vector<GroupColumns> groups =
        groupColumns(lanes, view, geometry, 0, geometry.pinnedRows());
    list.items.emplace_back(FillRect{0, 0, view.width, bottom, Ink::Background});
    for (std::size_t row = 0; row < geometry.pinnedRows(); ++row)
        paintRow(list, lanes, view, geometry, row, geometry.shownTop(row), true, groups[row]);
    list.items.emplace_back(StrokeLine{0, bottom - 0.5, view.width, bottom - 0.5, Ink::Line, 1});
}

} // namespace

double timelineHeight(const Lanes& lanes, const TimelineView& view)
{
    if (lanes.ranks().empty() || lanes.stepRanges().empty())
        return emptyHeight;
    return TimelineGeometry(lanes, view).height();
}

void drawTimeline(DisplayList& list, const Lanes& lanes, const TimelineView& view)
{
    list.items.clear();
    list.width = view.width;
    list.height = view.height < 0 ? timelineHeight(lanes, view) : view.height;
    if (lanes.stepRanges().empty() || !hasRange(view)) {
        addHint(list, view, lanes.stepRanges().empty() ? "No spans recorded yet" : "No time range");
        return;
    }
    const TimelineGeometry geometry(lanes, view);
    const double shownBottom = std::min(list.height, geometry.height() - view.scrollY);
    drawGrid(list, lanes, view, geometry, shownBottom);
    addScrolledRows(list, lanes, view, geometry);
    addPinnedRows(list, lanes, view, geometry);
    if (view.axis)
        drawAxis(list, lanes, view, geometry);
}

DisplayList drawTimeline(const Lanes& lanes, const TimelineView& view)
{
    DisplayList list;
    drawTimeline(list, lanes, view);
    return list;
}

} // namespace triaxis
