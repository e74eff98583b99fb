#pragma once

#include "engine/record/run_plan.h"

#include <string>

namespace triaxis::cli
{

/// Runs a few steps of `plan` in its own layout and in `reference` ("DPxTPxPP"), and reports loss, gradient norm and the gradient of every
/// tensor with the error that float32 rounding explains. Returns the exit code: 0 if everything is within its bound.
int checkAgainst(const RunPlan& plan, const std::string& reference, bool json);

} // namespace triaxis::cli
