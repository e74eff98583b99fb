#pragma once

#include "engine/timeline/timeline_geometry.h"

#include <string>
#include <vector>

namespace triaxis
{

struct Tick
{
    double time = 0;   ///< seconds, as in the view
    std::string label; ///< "50 ms", relative to the axis' origin
};

/// Round times, at least `minimumPixels` apart, with one unit (µs, ms, s) for all; in percent of
/// `whole` where that is not 0.
std::vector<Tick> timeTicks(double from, double to, double origin, double pixelsPerSecond,
                            double minimumPixels = 80, double whole = 0);

/// From where a view counts its time; see drawTimeline().
struct AxisOrigin
{
    double time = 0;
    std::int32_t step = -1; ///< that begins there; −1: the start of the run
};
AxisOrigin axisOrigin(const Lanes& lanes, const TimelineView& view);

/// Vertical lines at the ticks, behind the lanes.
void drawGrid(DisplayList& list, const Lanes& lanes, const TimelineView& view,
              const TimelineGeometry& geometry, double bottom);
/// The band with labels on top of everything that scrolls.
void drawAxis(DisplayList& list, const Lanes& lanes, const TimelineView& view,
              const TimelineGeometry& geometry);

} // namespace triaxis
