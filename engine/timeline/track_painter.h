#pragma once

#include "engine/timeline/display_list.h"

namespace triaxis
{

/// Where a track is painted and what it shows.
struct TrackFrame
{
    double left = 0; ///< x of `from`
    double top = 0;
    double width = 1; ///< pixels of [from, to)
    double height = 1;
    double from = 0; ///< seconds
    double to = 1;
    bool labels = false; ///< microbatch numbers and names on spans that have room for them
    double opacity = 1;  ///< of the spans' colours
    std::optional<Ink> member; ///< compute in this ink, forward fullest, whatever the category's own
};

/// Appends the spans of a track, without its background, at the level of detail described at
/// drawTimeline().
void paintTrack(DisplayList& list, const Track& track, const TrackFrame& frame);

} // namespace triaxis
