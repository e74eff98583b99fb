#pragma once

#include "engine/cost/training_job.h"

#include <vector>

namespace triaxis
{

/// [P] microbatch shares that live at once on each stage, in units of its whole share of the
/// layers: closed forms where they exist, else counted in the schedule's order. "auto": what
/// the plan allows it.
std::vector<double> liveShares(const ParallelPlan& plan, std::int64_t microbatches);

} // namespace triaxis
