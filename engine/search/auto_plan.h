#pragma once

#include "engine/record/run_plan.h"
#include "engine/search/auto_schedule.h"

namespace triaxis
{

/// Searches the order for a plan's own costs (planCosts) and puts it into the plan as its schedule "auto", with the chunks a stage that it
/// has. `memory`: activations that a stage may hold at once, in whole shares; 0: as many as 1F1B. Two chunks a stage are tried where the
/// layers suffice and the plan does not fix the split or the slots of its virtual stages. The layout must be sound. Throws Error if
/// nothing fits.
AutoSchedule chooseSchedule(RunPlan& plan, double memory = 0);

} // namespace triaxis
