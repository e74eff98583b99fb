#pragma once

#include "engine/record/records.h"
#include "engine/record/rank_status.h"
#include "engine/record/run_plan.h"
#include "kernels/communicator.h"
#include "kernels/device.h"

namespace triaxis
{

/// What one rank needs to take part in a run.
struct RankContext
{
    kernels::Device& device;
    kernels::World& world;
    RecordWriter& records;
    RankStatusWriter& status;
    std::filesystem::path directory; ///< of the run: weights and gradients are written there
};

/// Trains the plan on this rank: builds the program, the model shards and the data, runs every step, records spans, memory, losses
/// and faults. Throws Error: a wrong plan, a file, a loss that is not finite (rank, step, layer).
void trainRank(const RunPlan& plan, RankContext& context);

} // namespace triaxis
