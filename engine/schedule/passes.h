#pragma once

#include "engine/layout/layout.h"
#include "engine/model/model.h"
#include "engine/schedule/program.h"

#include <cstdint>

namespace triaxis
{

/// Size in bytes of the gradient buckets that are reduced over the data axis.
inline constexpr std::int64_t gradientBucketBytes = 8 << 20;

/// What the passes need beside the compute program.
struct ProgramInputs
{
    ModelSpec model;
    Layout layout;
    BatchShape batch;
    std::int64_t bytesPerElement = 4; ///< of activations and gradients
    std::int64_t bucketBytes = gradientBucketBytes;
};

/// Adds to the compute order: what each chunk holds; sends, receives and waits with fused opposite transfers; and the
/// end of the step in Megatron's order: gradient buckets over data (enqueued as soon as the last backward of the
/// chunk is issued), replicated KV heads over tensor, tied embedding between first and last stage, norm,
/// optimizer, loss. Bytes and FLOPs are those of one rank.
/// Instructions whose group has one member are left out (except LossReduce, NormReduce and OptimizerStep).
///
/// Placement of receives (PyTorch's rule): the compute lists are walked in dependency order; when a producer is
/// placed, its send is appended to its stage and the receive to the consumer's stage at that moment, so both
/// ends of a channel have the same order. The Wait stands right before the consumer.
Program completeProgram(const ComputeProgram& compute, const ProgramInputs& inputs);

/// Number of gradient buckets of a stage's rank: contiguous fp32 gradients of `elements` cut every bucketBytes.
int bucketCount(std::int64_t elements, const ProgramInputs& inputs);

/// Generator, passes and verifier in one call; throws Error with stage and instruction if the verifier refuses.
Program programFor(const std::string& schedule, const ProgramInputs& inputs);

} // namespace triaxis
