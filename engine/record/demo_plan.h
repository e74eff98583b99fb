#pragma once

#include "engine/record/run_plan.h"

namespace triaxis
{

/// The demonstration that the window and the command line share: gpt2-1m on the text of the GPL (or, where it is not installed, on the
/// synthetic source), 2×2×2 over 8 ranks of this machine, 1F1B, about a minute on two cores.
RunPlan demoPlan();

} // namespace triaxis
