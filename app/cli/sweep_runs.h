#pragma once

#include "app/cli/plan_options.h"
#include "engine/sweep/paced_as.h"
#include "engine/sweep/sweep_table.h"

#include <optional>
#include <string>
#include <vector>

namespace triaxis::cli
{

/// What a sweep is to run.
struct SweepJob
{
    PlanOptions plan; ///< all but the layout
    std::vector<Layout> layouts;
    PacedTarget target;
    std::string targetName;        ///< "gpt2-medium on dgx-a100", for labels
    std::optional<double> stretch; ///< of the paced form; none: found by a trial
    bool quiet = false;            ///< no line on standard error for each run
};

/// Runs the layouts one after the other, each into the history; layouts that cannot run get a row
/// that says why. A run that fails leaves its reason in its row. SIGINT ends the sweep after the
/// run it stops; `interrupted` is set and the rows so far returned.
SweepTable runSweep(const SweepJob& job, SweepForm form, bool& interrupted);

} // namespace triaxis::cli
