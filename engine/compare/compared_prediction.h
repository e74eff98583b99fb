#pragma once

#include "engine/compare/compared_run.h"
#include "engine/plan/drawn_prediction.h"

namespace triaxis
{

/// A drawn plan with its prediction as one of several compared runs. `name`: of the plan's file.
/// Throws Error where it cannot be predicted.
ComparedRun comparedPrediction(const std::string& name, const DrawnPlan& plan,
                               const MachineFacts& machine = {});

} // namespace triaxis
