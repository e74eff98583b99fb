#pragma once

#include "ui/run/shown_steps.h"
#include "ui/widgets/figure_strip.h"

#include <limits>

namespace triaxis::ui
{

/// What was predicted of a run; NaN and 0 where it was not.
struct PredictedFigures
{
    double stepSeconds = std::numeric_limits<double>::quiet_NaN();
    double bubble = std::numeric_limits<double>::quiet_NaN();
    std::int64_t peakBytes = 0; ///< of the fullest rank
};

/// The seven figures of a run, all measured; meaning and explanation say over which steps, or what
/// was predicted. The bubble is that of `shown`, as every panel that speaks of it.
std::vector<Figure> runFigures(const RunData& run, const ShownSteps& shown,
                               const PredictedFigures& predicted = {});

/// Median duration of the last steps, of all once the run has ended; the first step is left out
/// where others exist; NaN without steps.
double recentStepSeconds(const RunData& run);

/// The rank that computes longest against its peers, over the kept steps (straggler.h).
struct SlowestRank
{
    Rank rank;
    double excess = 0; ///< 0.04: 4 % above the median of the others of its stage
    bool known = false;
};
SlowestRank slowestRank(const RunData& run);

/// "finished", "running": with what it means, for people.
QString stateText(RunState state);

} // namespace triaxis::ui
