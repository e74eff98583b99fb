#pragma once

#include "engine/cost/collectives.h"
#include "engine/cost/stage_shares.h"
#include "engine/cost/unit_costs.h"

namespace triaxis
{

// What data parallelism exchanges, by what ZeRO shards (Rajbhandari et al. 2020, section 5):
// - none: gradients are summed over the replicas once a step (all-reduce);
// - 1: gradients are scattered and updated weights gathered once a step; where fewer ranks than all
//   share the optimizer state, within each group of them, and the shards are summed over the
//   groups;
// - 2: ranks keep shards of the gradients only, so that every microbatch scatters its gradients
//   after each layer's backward and adds them to the shards (DeepSpeed stage 2, FSDP
//   shard_grad_op); updated weights are gathered once a step. In a pipeline gradients are summed
//   whole over the microbatches and scattered once (PyTorch's pipelining over FSDP, Llama 3;
//   DeepSpeed has none): the same as 1, in time and memory;
// - 3: every microbatch also gathers each layer's weights before its forward and its backward (FSDP
//   full shard).
// Where the pipeline holds two copies of the weights (bidirectional schedules) the copies' sums are
// added once a step: within the same exchange up to stage 2, shard by shard with stage 3.

/// Share of the collective model's rate that the software's exchanges of gradients and updated
/// weights reach in a group.
double exchangeRate(const TrainingJob& job, const GroupPlacement& group);

/// Gradients are scattered in every microbatch and kept in shards only.
bool scattersEachMicrobatch(const ParallelPlan& plan);

/// Seconds of a stage's exchanges once a step that are left when the last microbatch's backward
/// hides gradients and the first one's forward hides weights. `pass`: of the stage, one microbatch.
double exposedReduction(const TrainingJob& job, const ParallelPlan& plan,
                        const StageParameters& parameters, const PassSeconds& pass);

/// Seconds of a step's exchanges of every layer and microbatch that the compute of the layer next
/// to it does not hide: 0 where nothing is exchanged in every microbatch.
double exposedEachMicrobatch(const TrainingJob& job, const ParallelPlan& plan,
                             const UnitCosts& unit);

} // namespace triaxis
