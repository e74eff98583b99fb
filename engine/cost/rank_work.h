#pragma once

#include "engine/cost/machine_rates.h"
#include "engine/record/run_plan.h"
#include "engine/timeline/span.h"

#include <array>
#include <vector>

namespace triaxis
{

/// What a rank does inside an instruction, in order.
struct WorkPart
{
    enum class What {
        Compute,
        StartTensorReduce, ///< of the tensor group: offers its part
        EndTensorReduce    ///< waits until every member has offered its part, and adds up
    };
    What what = What::Compute;
    MachineSeconds seconds;    ///< Compute
    std::int64_t bytes = 0; ///< EndTensorReduce
};

/// Bytes that a rank holds at most within a step, by category (each by itself) and in all, as the
/// runtime's own allocator counts them.
struct PredictedBytes
{
    std::array<std::int64_t, memoryCategoryCount> peak{};
    std::int64_t peakTotal = 0;
};

/// One step of a rank on the calibrated machine.
struct RankWork
{
    std::vector<std::vector<WorkPart>> parts; ///< beside the instructions of its stage
    PredictedBytes memory;
};

/// Walks the instructions of a rank as the runtime does: the same operations in the same shapes,
/// the same buffers taken and given back. Throws Error for a plan that cannot run.
RankWork rankWork(const RunPlan& plan, const Program& program, Rank rank,
                  const MachineRates& rates);
/// Its memory alone, for which no machine needs to be known.
PredictedBytes rankMemory(const RunPlan& plan, const Program& program, Rank rank);

} // namespace triaxis
