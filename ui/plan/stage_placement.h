#pragma once

#include "engine/record/run_plan.h"

#include <vector>

namespace triaxis::ui
{

/// Pipeline stage by virtual stage [P·V], where the schedule places its chunks; a schedule that
/// cannot be made deals them out in turn.
std::vector<int> stagesOf(const RunPlan& plan);

} // namespace triaxis::ui
