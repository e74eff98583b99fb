#pragma once

#include "engine/timeline/timeline_geometry.h"

namespace triaxis
{

/// Appends one row of the timeline at `top` of the viewport, its name included.
void paintRow(DisplayList& list, const Lanes& lanes, const TimelineView& view,
              const TimelineGeometry& geometry, std::size_t row, double top, bool labelled);

/// "data 0", "stage 2", "tensor 1".
std::string groupName(Axis axis, int coordinate);
/// The colour of a coordinate where lanes are coloured by an axis; repeats after seven.
Ink memberInk(int coordinate);

} // namespace triaxis
