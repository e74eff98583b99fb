#pragma once

#include "engine/record/run_directory.h"

namespace triaxis
{

/// The bubble (metrics.h) of the step that stands for a run (SteadyStep), from the spans in its
/// record files: the same figure that `triaxis show` and reports give. NaN without spans. Reads the
/// files twice, a rank at a time, and keeps the spans of one step only.
double steadyBubble(const RunDirectory& run, const RunPlan& plan);

} // namespace triaxis
