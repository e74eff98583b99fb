#pragma once

#include "engine/cost/training_job.h"
#include "engine/schedule/program.h"
#include "engine/simulate/play.h"

namespace triaxis
{

/// The compute program of the plan's schedule; an "auto" schedule is searched for these costs, with
/// as many chunks a stage as the plan has, dealt out round by round. Throws Error for a batch that
/// does not divide or a shape that the schedule does not have.
ComputeProgram computeProgramOf(const TrainingJob& job, const ParallelPlan& plan,
                                const StageCosts& costs);

} // namespace triaxis
