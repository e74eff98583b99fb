#pragma once

#include "engine/timeline/charts.h"

namespace triaxis
{

inline constexpr double legendSwatch = 10;
inline constexpr double legendTextSize = 11;
inline constexpr double legendLineHeight = 18;

struct LegendEntry
{
    std::string name;
    Ink ink;
    double opacity = 1;
    bool hatched = false;
};

/// Appends entries from (left, top) on, breaking lines at `right`; returns the y beneath the last
/// line.
double addLegend(DisplayList& list, const std::vector<LegendEntry>& entries, double left,
                 double top, double right);

} // namespace triaxis
