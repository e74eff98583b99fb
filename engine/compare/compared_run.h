#pragma once

#include "engine/core/spread.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"
#include "engine/record/run_plan.h"

#include <limits>
#include <string>
#include <vector>

namespace triaxis
{

/// Where the figures of a compared run come from.
enum class FigureSource { Measured, Predicted };
const char* toText(FigureSource source); ///< "measured", "predicted"

/// One of several runs that are laid side by side: its settings, its figures and its curve. All
/// that a comparison needs of it, so that fifty of them fit into memory.
struct ComparedRun
{
    std::string id;   ///< of the history, or the name of a plan file
    std::string name; ///< for people: the label, else the layout and the end of the id
    FigureSource source = FigureSource::Measured;
    RunState state = RunState::Draft;
    RunPlan plan;
    RunEnvironment environment;
    nlohmann::json settings; ///< all of them, as a tree: what differs is looked for here

    std::vector<StepResult> steps; ///< in order, each once; none of a prediction
    Spread stepSeconds;            ///< over the steps, the first left out where there are others
    Spread tokensPerSecond;        ///< likewise
    Spread bubble;                 ///< over the steps whose spans are kept
    Spread communication;          ///< share of a step, likewise
    double peakBytes = std::numeric_limits<double>::quiet_NaN(); ///< of the fullest rank
    double finalLoss = std::numeric_limits<double>::quiet_NaN();
    double finalGradientNorm = std::numeric_limits<double>::quiet_NaN();
    int firstKept = 0; ///< steps whose spans are kept, for people; 0: none
    int lastKept = 0;
    std::size_t keptSteps = 0;

    /// Spans of the step that stands for the run (SteadyStep), on a clock that begins with it.
    std::vector<Span> spans;
    std::int32_t spansStep = -1;
    Layout spansLayout; ///< whose ranks the spans are of: a prediction may stand for one pipeline
};

/// "A · 2×2×1 · 3e22": a letter that stands for the run in tables and legends, and its name.
std::string letteredName(const std::vector<ComparedRun>& runs, std::size_t index);

/// A stored run, whatever its state. Throws Error if it is no run directory.
ComparedRun comparedRun(const RunDirectory& run);
/// The same of records that are at hand.
ComparedRun comparedRun(const std::string& id, const RunPlan& plan,
                        const RunEnvironment& environment, RunState state,
                        const RunRecords& records);

} // namespace triaxis
