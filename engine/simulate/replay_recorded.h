#pragma once

#include "engine/record/run_directory.h"
#include "engine/record/run_plan.h"
#include "engine/simulate/compiled_program.h"
#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// One step of a real run beside its replay.
struct RecordedReplay
{
    std::int32_t step = -1;
    double measured = 0; ///< seconds from the first begin to the last end of the step's spans
    double replayed = 0; ///< the same, from the measured durations of its instructions alone
    double error() const { return measured > 0 ? replayed / measured - 1 : 0; }
};

/// Replays the program of a run with the durations that its spans had in one step. What holds a rank
/// up between two instructions although nothing of the program keeps it there (another process on
/// its core) counts to the second. Of a transfer: from when its sender was free for it until it had
/// arrived. Of a collective: from when its last member
/// had enqueued it and the lane was free; what a rank works before it enqueues one (the squares of
/// a norm), and by how much it enters the step late, count as measured, too. What is left to the
/// replay is who waits for whom. Spans paired, of one step, of all ranks. Ranks of a tensor group
/// are played for themselves; their compute spans hold what they waited for each other in them.
/// Throws Error if the plan has no program or a rank's span of an instruction is missing.
RecordedReplay replayStep(const RunPlan& plan, const std::vector<Span>& spansOfStep);

/// The same for the step that stands for a stored run (SteadyStep). Throws Error for a run without
/// whole steps.
RecordedReplay replayRecorded(const RunDirectory& run);

} // namespace triaxis
