#pragma once

#include "engine/train/rank_state.h"

namespace triaxis::train
{

/// A reduction at the end of a step, under way, or a transfer. `request` is null where this rank is
/// the only member of the group.
struct StepReduction
{
    std::unique_ptr<kernels::Request> request;
    kernels::Communicator* group = nullptr; ///< that reduces; null for a transfer, and with one member
    kernels::Buffer packed; ///< scattered gradients, gathered for the way
    std::int64_t bytes = 0;
};

/// One bucket of a chunk's gradients, summed over the replicas. (The loss of each microbatch was
/// divided by microbatches and replicas before its backward, so that sums are means over the global
/// batch.)
StepReduction reduceGradientBucket(RankState& state, int chunk, int bucket);

/// The gradients of a tied embedding, summed over the stages that hold a copy.
StepReduction reduceTiedEmbedding(RankState& state);

/// The chunk's gradients of key/value heads, summed over the tensor ranks that hold the same ones.
StepReduction reduceReplicatedHeads(RankState& state, int chunk);
void unpackReplicatedHeads(RankState& state, int chunk, const StepReduction& reduction);

/// A number on the device, summed in place over the tensor × pipeline ranks of a replica (norm) or
/// all ranks (loss).
StepReduction reduceNorm(RankState& state, double* squaredNorm);
StepReduction reduceLoss(RankState& state, double* loss);

} // namespace triaxis::train
