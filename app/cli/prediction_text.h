#pragma once

#include "engine/record/run_plan.h"

namespace triaxis::cli
{

/// What the plan would take on this machine, by its calibration, on standard output. The exit code.
/// Throws Error where there is no calibration of this machine.
int printPrediction(const RunPlan& plan, bool json);

} // namespace triaxis::cli
