#pragma once

#include "engine/timeline/display_list.h"
#include "engine/timeline/metrics.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace triaxis
{

/// Small pictures that reports, windows and exports share. Widths in pixels; the height follows
/// from the content. With nothing to show they carry a hint instead.

/// Categories that have time within [from, to) on any lane, in the order of the enum; idle always
/// last. `communication` false: on compute tracks only.
std::vector<Category> categoriesIn(const Lanes& lanes, double from, double to,
                                   bool communication = true);

/// A swatch and a name for each category, in as many lines as the width needs; with `numbers`,
/// where spans of microbatches are among them, also what the numbers on them are.
DisplayList drawLegend(const std::vector<Category>& categories, double width, bool numbers = true);

/// One stage of a bubble chart: its ranks' mean shares of the step.
struct BubbleRow
{
    int stage = 0;
    std::string name; ///< "stage 0"
    LaneShare share;  ///< fractions of the step's window, so that their sum is 1
    double measured = std::numeric_limits<double>::quiet_NaN();   ///< idle over (window − tail)
    double closedForm = std::numeric_limits<double>::quiet_NaN(); ///< NaN: the schedule has none
};
/// A row for every stage of which spans exist.
std::vector<BubbleRow> bubbleRows(const StepShares& shares, const Layout& layout,
                                  double closedForm);

/// Bars of what is not compute, longest stage across the width: warm-up, other idle time, waiting
/// for a peer, exposed transfer, cool-down, tensor collectives, tail; beside them "measured |
/// closed form". With the legend beneath.
DisplayList drawBubbleBars(const std::vector<BubbleRow>& rows, double width);

/// One cell of a memory map.
struct MemoryCell
{
    Rank rank;
    Coordinates at;
    std::int64_t bytes = 0;
};
/// One cell for each rank, stages in rows as far as they fit; the darker, the fuller. Up to 64
/// ranks carry their number and size.
DisplayList drawMemoryMap(std::vector<MemoryCell> cells, double width);

/// How the n-th of several curves is told from the others: six colours, then the same dashed, and
/// so on. The same in every picture of one comparison.
struct CurveStyle
{
    Ink ink = Ink::Accent;
    bool dashed = false;
};
CurveStyle curveStyle(std::size_t index);

/// One of several curves over the same axes.
struct Curve
{
    std::string name;
    std::vector<std::pair<double, double>> points; ///< as those of LineChart
};

/// A curve over steps, or several with a legend beneath.
struct LineChart
{
    std::vector<std::pair<double, double>>
        points;        ///< (step, value); gaps where a value is not finite
    std::vector<Curve> curves; ///< in the order of curveStyle()
    std::string xName; ///< "step"
    std::string yName; ///< with its unit: "nats per token"
    double reference = std::numeric_limits<double>::quiet_NaN(); ///< dashed line; NaN: none
    std::string referenceName;                                   ///< "best reachable 1.386"
};
DisplayList drawLineChart(const LineChart& chart, double width, double height);

/// Width of a line of text in the fonts that the pictures use; an estimate on the safe side.
double textWidth(const std::string& text, double size, bool bold = false);

} // namespace triaxis
