#pragma once

#include "engine/record/run_plan.h"
#include "engine/simulate/play.h"

namespace triaxis
{

/// What a plan's compute steps cost, by virtual stage: the slots of a paced run (seconds, with its
/// pipeline link), else the FLOPs of each chunk in units of the mean forward, transfers free.
/// Throws Error if the layers do not spread over the stages.
StageCosts planCosts(const RunPlan& plan);

} // namespace triaxis
