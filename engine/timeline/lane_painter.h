#pragma once

#include "engine/timeline/aggregate_painter.h"
#include "engine/timeline/timeline_geometry.h"

namespace triaxis
{

/// What the ranks of a collapsed group do, by column of pixels.
struct GroupColumns
{
    std::vector<CategorySeconds> compute;
    std::vector<CategorySeconds> communication;
};
/// `merged`: what is known of the group from earlier pictures; may be null.
GroupColumns columnsOf(const Lanes& lanes, const TimelineView& view,
                       const TimelineGeometry& geometry, const LaneRow& row,
                       const MergedGroups::Group* merged);

/// Appends one row of the timeline at `top` of the viewport, its name included. `group`: of a
/// collapsed group its columns; `stacks`: takes those that differ from one to the next, may be
/// null.
void paintRow(DisplayList& list, std::vector<ListedColumns>* stacks, const Lanes& lanes,
              const TimelineView& view, const TimelineGeometry& geometry, std::size_t row,
              double top, bool labelled, const GroupColumns& group);

/// Of the colours of predicted spans.
inline constexpr double predictedOpacity = 0.55;

/// "data 0", "stage 2", "tensor 1".
std::string groupName(Axis axis, int coordinate);
/// The colour of a coordinate where lanes are coloured by an axis; repeats after seven.
Ink memberInk(int coordinate);

} // namespace triaxis
