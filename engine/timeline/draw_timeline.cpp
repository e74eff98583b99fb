#include "engine/timeline/display_list.h"

#include "engine/timeline/time_axis.h"
#include "engine/timeline/timeline_geometry.h"
#include "engine/timeline/track_painter.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double twoLinePitch = 30; // lanes at least so tall have their rank on a line of its own
constexpr double smallestText = 8;
constexpr double labelMargin = 10;
constexpr double leastHeader = 40; // narrower ones have no room for labels
constexpr double headingReach = 24;

std::string shortCoordinates(const Coordinates& at)
{
    return "pp" + std::to_string(at.pipeline) + "·tp" + std::to_string(at.tensor);
}

std::string rankName(Rank rank)
{
    return "rank " + std::to_string(rank.value);
}

void addLaneLabel(DisplayList& list, const RankTracks& lane, const TimelineGeometry& geometry,
                  const TimelineView& view, double top)
{
    const double right = geometry.plotLeft() - labelMargin;
    const double middle = top + view.computeHeight / 2;
    if (geometry.pitch() >= twoLinePitch) {
        const double below = std::max(
            top + geometry.communicationOffset() + view.communicationHeight / 2, middle + 13);
        list.items.emplace_back(
            DrawText{right, middle, shortCoordinates(lane.at), Ink::Text, 11, Align::Right});
        list.items.emplace_back(
            DrawText{right, below, rankName(lane.rank), Ink::MutedText, 10, Align::Right});
        return;
    }
    const double size = std::clamp(geometry.pitch() - 2, smallestText, 11.0);
    list.items.emplace_back(DrawText{right, middle,
                                     shortCoordinates(lane.at) + " · " + rankName(lane.rank),
                                     Ink::Text, size, Align::Right});
}

void addTracks(DisplayList& list, const RankTracks& lane, const TimelineGeometry& geometry,
               const TimelineView& view, double top)
{
    TrackFrame frame{geometry.plotLeft(),
                     top,
                     geometry.plotWidth(),
                     view.computeHeight,
                     view.from,
                     view.to,
                     view.computeHeight >= smallestText + 2};
    list.items.emplace_back(FillRect{frame.left, frame.top, frame.width, frame.height, Ink::Idle,
                                     std::min(2.0, frame.height / 8)});
    paintTrack(list, lane.compute, frame);
    if (!(view.communicationHeight > 0))
        return;
    frame.top = top + geometry.communicationOffset();
    frame.height = view.communicationHeight;
    frame.labels = false;
    paintTrack(list, lane.communication, frame);
}

void addHeading(DisplayList& list, const RankTracks& lane, double middle)
{
    constexpr double size = 11;
    if (middle - size / 2 < list.height)
        list.items.emplace_back(DrawText{0, middle, "data " + std::to_string(lane.at.data),
                                         Ink::Text, size, Align::Left, true});
}

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
    drawGrid(list, lanes, view, shownBottom);

    // A heading stands above its first lane and may be in sight without it.
    const auto [first, last] =
        geometry.lanesWithin(view.scrollY + geometry.axisHeight() - headingReach,
                             view.scrollY + list.height + headingReach);
    double labelBottom = -1e300;
    for (std::size_t i = first; i < last; ++i) {
        const RankTracks& lane = lanes.ranks()[i];
        const double top = geometry.laneTop(i) - view.scrollY;
        if (geometry.hasHeadings() && i % geometry.lanesPerReplica() == 0)
            addHeading(list, lane,
                       geometry.headingMiddle(i / geometry.lanesPerReplica()) - view.scrollY);
        if (top >= list.height)
            continue;
        addTracks(list, lane, geometry, view, top);
        if (top < labelBottom || view.headerWidth < leastHeader)
            continue;
        addLaneLabel(list, lane, geometry, view, top);
        labelBottom = top + smallestText + 2;
    }
    if (view.axis)
        drawAxis(list, lanes, view);
    return list;
}

} // namespace triaxis
