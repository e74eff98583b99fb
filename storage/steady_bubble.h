#pragma once

#include "engine/record/run_directory.h"

#include <set>

namespace triaxis
{

/// Mean bubble (metrics.h) of the given steps of a run, from the spans in its record files; NaN if
/// none of them has spans.
double meanBubble(const RunDirectory& run, const RunPlan& plan,
                  const std::set<std::int32_t>& steps);

} // namespace triaxis
