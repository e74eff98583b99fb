#pragma once

#include "engine/record/records.h"
#include "engine/record/run_bubble.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/metrics.h"

#include <array>
#include <limits>
#include <optional>
#include <vector>

namespace triaxis
{

/// The most that a rank held at once, and of each category by itself.
struct RankMemory
{
    Rank rank;
    Coordinates at;
    std::int64_t peakTotal = 0;
    std::array<std::int64_t, memoryCategoryCount> peak{};
};

/// The rank that computed longest in the steady step.
struct SlowestRank
{
    Rank rank;
    double excess = 0;        ///< over the mean of those it is compared with, as a fraction
    bool againstStage = true; ///< compared with its own stage; else with all ranks
};

/// All figures of a report, computed once. NaN where there is nothing to tell.
struct ReportFacts
{
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    std::vector<StepResult> steps; ///< one each, in order
    double finalLoss = none;
    std::size_t timedSteps = 0;    ///< that the two below are over
    double stepSeconds = none;     ///< median, first step left out
    double tokensPerSecond = none; ///< of the same steps
    double flopsPerSecond = none;  ///< of the model's arithmetic, all ranks
    RunBubble bubble;              ///< of the step that stands for the run
    std::vector<BubbleRow> bubbleRows;
    std::optional<SlowestRank> slowest;
    std::vector<RankMemory> memory; ///< ranks that have samples
    std::int64_t stepsWithSpans = 0;
};

ReportFacts reportFacts(const RunPlan& plan, const RunRecords& records);

} // namespace triaxis
