#pragma once

#include "engine/timeline/charts.h"

namespace triaxis
{

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
