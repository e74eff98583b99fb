#pragma once

#include "ui/run/run_data.h"
#include "ui/widgets/bubble_bars.h"
#include "ui/widgets/figure_strip.h"
#include "ui/widgets/memory_grid.h"

namespace triaxis::ui
{

/// The seven figures of a run, all measured; the meaning says over which steps.
std::vector<Figure> runFigures(const RunData& run);

/// Median duration of the last steps, the first step of the run left out where others exist; NaN without steps.
double recentStepSeconds(const RunData& run);

/// The stage rank that computed longest against the mean of its stage, over the kept steps.
struct SlowestRank
{
    Rank rank;
    double excess = 0;   ///< 0.04: 4 % above the mean of its stage
    bool known = false;
};
SlowestRank slowestRank(const RunData& run);

/// Mean shares of each stage over the kept steps, without the tail.
std::vector<BubbleBars::Stage> bubbleStages(const RunData& run);

/// Cells of the memory grid: the most over all steps, or now.
std::vector<MemoryGrid::Cell> memoryCells(const RunData& run, bool peak);

/// "finished", "running": with what it means, for people.
QString stateText(RunState state);

} // namespace triaxis::ui
