#pragma once

#include "engine/cost/machine_costs.h"
#include "engine/record/run_directory.h"

#include <filesystem>
#include <optional>
#include <string>

namespace triaxis
{

/// What a run would be, and from what that is known; or why nothing is.
struct RunPrediction
{
    std::optional<MachinePrediction> prediction;
    std::string basis; ///< "the calibration of this machine of 2026-02-14", "its slots and links"
    bool wantsCalibration =
        false;           ///< `triaxis calibrate` on this machine would give (or sharpen) it
    std::string problem; ///< why there is no prediction; empty where there is one
    std::string remedy;  ///< what to do about it
};

/// Predicts a run (live, stored or planned): from the calibration under `home` where it was made on
/// the machine that ran it, else a paced run from its slots and links alone. `host`: where it ran;
/// empty: here.
RunPrediction predictRun(const RunPlan& plan, const std::string& host,
                         const std::filesystem::path& home);

} // namespace triaxis
