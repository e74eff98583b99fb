#pragma once

#include "engine/timeline/track_painter.h"

#include <vector>

namespace triaxis
{

/// Seconds of each category in each column of pixels of a frame, over several tracks together; idle
/// is not counted. The dear part of an aggregate: it reads every span, so that many aggregates are
/// best summed up side by side.
std::vector<CategorySeconds> aggregateColumns(const std::vector<const Track*>& tracks,
                                              const TrackFrame& frame);

/// Appends what share of `tracks` tracks does what, column by column and stacked from the bottom in
/// the order of Category; what is idle stays empty. The area of every category is its exact share
/// of the tracks' time.
void paintAggregate(DisplayList& list, const std::vector<CategorySeconds>& columns,
                    std::size_t tracks, const TrackFrame& frame);
void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame);

} // namespace triaxis
