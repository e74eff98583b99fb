#pragma once

#include "engine/timeline/track_painter.h"

#include <vector>

namespace triaxis
{

/// Appends what share of several tracks does what, column by column and stacked from the bottom in the order of Category;
/// what is idle stays empty. The area of every category is its exact share of the tracks' time.
void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame);

} // namespace triaxis
