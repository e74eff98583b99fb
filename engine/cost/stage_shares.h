#pragma once

#include "engine/cost/training_job.h"

#include <vector>

namespace triaxis
{

/// What one virtual stage holds of the model.
struct StageShare
{
    int denseLayers = 0;
    int expertLayers = 0;
    bool embedding = false;
    bool head = false;
    int layers() const { return denseLayers + expertLayers; }
    bool operator==(const StageShare&) const = default;
};

/// By virtual stage [P·V]: plan.layersPerStage or the even split (surplus in the middle; with fewer
/// layers than virtual stages the first and the last hold embedding and head only). Throws Error if
/// they do not fit.
std::vector<StageShare> stageShares(const TrainingJob& job, const ParallelPlan& plan);

/// Virtual stages whose chunks each pipeline stage holds [P]: dealt out round by round, in a V
/// (stage r holds r and 2P − 1 − r), or of two replicas in opposite directions (r and P − 1 − r).
std::vector<std::vector<int>> virtualStagesByStage(const ParallelPlan& plan);
/// Copies of the weights within the pipeline: 2 for bidirectional schedules, whose copies share the
/// microbatches. Throws Error for an unknown schedule.
int replicasOf(const ParallelPlan& plan);

/// Parameters that a rank of a pipeline stage holds, its chunks together.
struct StageParameters
{
    double shared = 0;  ///< reduced over dp·cp
    double experts = 0; ///< routed experts, reduced over dp·cp·tp / (ep·expertTp)
    double all() const { return shared + experts; }
    bool operator==(const StageParameters&) const = default;
};

/// [P]
std::vector<StageParameters> stageParameters(const TrainingJob& job, const ParallelPlan& plan);

/// Ranks over which ZeRO shards shared and expert parameters; at least 1.
double shardRanks(const ParallelPlan& plan);
double expertShardRanks(const ParallelPlan& plan);

} // namespace triaxis
