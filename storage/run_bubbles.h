#pragma once

#include "engine/record/run_directory.h"

namespace triaxis
{

/// The bubble of a run (KeptBubble), from the spans in its record files: the same figure that
/// the window, `triaxis show` and reports give. NaN without spans. Reads the files once to find the
/// steps and once for every so many spans, of which no more are held at a time.
double bubbleOfRun(const RunDirectory& run, const RunPlan& plan);

} // namespace triaxis
