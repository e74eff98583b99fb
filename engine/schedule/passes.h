#pragma once

#include "engine/layout/layout.h"
#include "engine/model/model.h"
#include "engine/schedule/generators.h"
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

/// Adds to the compute order: what each chunk holds (layerSplit; the embedding on virtual stage 0, the head on the last);
/// transfers and waits; and the end of the step. Bytes and FLOPs are those of one rank. Throws Error for tables, a
/// layout or a layer split that do not fit each other, and for an order that never gets to one of its steps.
///
/// Transfers follow PyTorch's rule, walked in rounds: in a round every stage places its next step if all that it consumes was
/// placed in an earlier round, and the transfer of that step is placed on both ends in the same round, so both ends of a
/// channel have the same order. Lanes: channels.h. No transfer where the consumer is on the same stage.
/// - Two overlapped steps (ComputeStep::withNext) are one step of a round and get a number, `pair`, counted from 1 on each stage. The
///   waits for the inputs of both stand before the first, the two stand side by side, and the sends of both behind the second: what
///   overlaps begins when everything it needs is there, and gives its results at its end.
/// - A receive is enqueued before the step that its stage computes in that round, so that it overlaps with it. Its Wait stands
///   right before its consumer.
/// - Where two stages send to each other in one round (1F1B's steady state: send forward and receive backward with the next
///   stage, send backward and receive forward with the previous one), each end's sends and receives stand side by side after
///   the step and share a `fuse` number, counted from 1 on each stage: they are launched together. (A pair may send an
///   activation and a gradient to the same stage.)
/// - A send is waited for right before the second next send of its lane is issued, so that at most two payloads a lane are under
///   way; what is left, before the tail. A wait for a transfer names its peer.
///
/// The tail, in Megatron's order; instructions whose group has one member are left out, except those of 4:
/// 1. GradientReduce (Lane::Data; part = bucket) of a chunk, enqueued behind the last step that adds to its gradients and that step's
///    send; a stage that holds embedding and head waits with the embedding's until both are done. With replicas of the
///    weights, all buckets at the end, by position in the model, summed over the twins too. Then come the waits for sends and buckets.
/// 2. ReplicaReduce (Lane::Tensor), a chunk each, if tp > kvHeads: the gradients of KV heads that several tensor ranks hold.
/// 3. TiedReduce (Lane::Data), if the head is tied and stages hold the token table as embedding or as head only: the copies'
///    gradients are summed over those stages. A stage with both keeps one table and adds both gradients to it.
/// 4. NormReduce and LossReduce (Lane::Data) are enqueued together; the Wait for the norm, the OptimizerStep, and
///    last the Wait for the loss: its latency hides behind the update, and it holds up no gradient.
///
/// Buckets: every rank of a stage has the same list, cut from the gradients of the tensor rank that holds most. Bucket b of a rank
/// with n contiguous elements in the chunk is [b·E, min((b+1)·E, n)), E = bucketElements(elements of the largest rank). A rank with fewer
/// elements may find its last bucket short or empty: it still takes part, with a reduction of length zero
/// among its own data group, whose members all have the same size.
Program completeProgram(const ComputeProgram& compute, const ProgramInputs& inputs);

/// Most buckets of a chunk: their waits must have ids of their own.
inline constexpr int maximumBuckets = 2048;

/// Elements of every bucket but the last: bucketBytes, or more where that would make more than maximumBuckets.
std::int64_t bucketElements(std::int64_t elements, const ProgramInputs& inputs);

/// Number of gradient buckets of a stage's rank: contiguous gradients of `elements` cut every bucketElements.
int bucketCount(std::int64_t elements, const ProgramInputs& inputs);

/// Generator, passes and verifier in one call; throws Error with stage and instruction if the verifier refuses.
Program programFor(const ScheduleRequest& request, const ProgramInputs& inputs);
Program programFor(const std::string& schedule, const ProgramInputs& inputs);

} // namespace triaxis
