#pragma once

#include "engine/record/run_plan.h"

namespace triaxis
{

/// Fills in what a run keeps of its data: the hash of its file and the best loss that can be
/// reached. A plan that has a hash already (an earlier run, repeated; a draft, started) is held to
/// it. Throws Error if the data cannot be used, or if the file holds something else by now.
void completeData(RunPlan& plan);

} // namespace triaxis
