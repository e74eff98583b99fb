#pragma once

#include "engine/record/step_figures.h"
#include "ui/run/run_data.h"
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

/// The seven figures of a run, all measured and all of the whole run, or of its last steps while it
/// goes on: the same as in the history. Name, meaning and explanation say over which steps, or what
/// was predicted.
std::vector<Figure> runFigures(const RunData& run, const PredictedFigures& predicted = {});

/// Bubble of the run now: of its last kept steps while it goes on, of all once it has ended.
KeptBubble recentBubble(const RunData& run);

/// Of the last steps while the run goes on, of all once it has ended.
StepFigures recentFigures(const RunData& run);
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
