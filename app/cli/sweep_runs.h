#pragma once

#include "app/cli/plan_options.h"
#include "engine/sweep/paced_as.h"
#include "engine/sweep/sweep_table.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace triaxis::cli
{

/// Told as a sweep goes on; what is not set is not told.
struct SweepObserver
{
    /// Once a form: with its title, how many layouts it has and how many runs they will take.
    std::function<void(const SweepTable& table, std::size_t layouts, std::size_t runs)> begun;
    /// `trial`: to find the stretch.
    std::function<void(const Layout& layout, bool trial, std::int64_t steps)> started;
    std::function<void(std::int64_t done, std::int64_t steps)> stepped;
    /// Measured, or not: see SweepRow::reason.
    std::function<void(SweepForm form, const SweepRow& row)> ended;
};

/// What a sweep is to run.
struct SweepJob
{
    PlanOptions plan; ///< all but the layout
    std::vector<Layout> layouts;
    PacedTarget target;
    std::string targetName;        ///< "gpt2-medium on dgx-a100", for labels
    std::optional<double> stretch; ///< of the paced form; none: found by a trial
    bool quiet = false;            ///< no line on standard error for each run
    SweepObserver observer = {};
};

/// Runs the layouts one after the other, each into the history; layouts that cannot run get a row
/// that says why. A run that fails leaves its reason in its row. SIGINT ends the sweep after the
/// run it stops; `interrupted` is set and the rows so far returned.
SweepTable runSweep(const SweepJob& job, SweepForm form, bool& interrupted);

} // namespace triaxis::cli
