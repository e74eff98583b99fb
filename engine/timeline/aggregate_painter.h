#pragma once

#include "engine/timeline/live_timeline.h"
#include "engine/timeline/merged_track.h"
#include "engine/timeline/track_painter.h"

#include <vector>

namespace triaxis
{

/// Seconds of each category in each column of pixels of a frame, over several tracks together; idle
/// is not counted. The dear part of an aggregate, so that many aggregates are best summed up side
/// by side. `merged`: the same tracks as one, as far as that has come, read instead of every span
/// where there are many; may be null. The sums are the same.
std::vector<CategorySeconds> aggregateColumns(const std::vector<const Track*>& tracks,
                                              const TrackFrame& frame,
                                              const MergedTrack* merged = nullptr);

/// Columns that are to be painted when `after` items of the list are.
struct ListedColumns
{
    std::size_t after = 0;
    StackedColumns columns;
};

/// Appends what share of `tracks` tracks does what, column by column and stacked from the bottom in
/// the order of Category; what is idle stays empty. The area of every category is its exact share
/// of the tracks' time. `stacks`: takes the columns that differ from one to the next; null: they
/// are rectangles of the list like all else.
void paintAggregate(DisplayList& list, std::vector<ListedColumns>* stacks,
                    const std::vector<CategorySeconds>& columns, std::size_t tracks,
                    const TrackFrame& frame);

/// All of it as rectangles.
void paintAggregate(DisplayList& list, const std::vector<const Track*>& tracks,
                    const TrackFrame& frame);

} // namespace triaxis
