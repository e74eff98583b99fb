#pragma once

#include "engine/record/run_plan.h"
#include "engine/schedule/passes.h"
#include "engine/train/batch_feed.h"
#include "engine/train/chunk.h"
#include "engine/train/rank_groups.h"

#include <memory>
#include <vector>

namespace triaxis::train
{

/// All that a rank holds during a run: its place, its groups, its share of the model, its data.
struct RankState
{
    const RunPlan& plan;
    kernels::World& world;
    ProgramInputs inputs;
    Coordinates at;
    Program program;
    RankGroups groups;
    std::unique_ptr<kernels::Stream> stream;
    TensorGroup tensor;
    Compute compute;
    ParameterStore store;
    std::vector<ChunkLayers> chunks;
    BatchFeed feed;

    /// Collective over the world: makes the groups. Throws Error for a plan that cannot run.
    RankState(const RunPlan& plan, kernels::Device& device, kernels::World& world);
    RankState(const RankState&) = delete;
    RankState& operator=(const RankState&) = delete;

    const StageProgram& stage() const { return program.perStage[std::size_t(at.pipeline)]; }
    Rank rank() const { return Rank(world.rank()); }
    MicrobatchShape shape() const { return feed.shape(); }
};

} // namespace triaxis::train
