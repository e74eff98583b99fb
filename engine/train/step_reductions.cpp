#include "engine/train/step_reductions.h"

#include "engine/core/error.h"
#include "engine/schedule/gradient_sizes.h"

#include <algorithm>

namespace triaxis::train
{
namespace
{

constexpr auto sum = kernels::Reduction::Sum;

StepReduction start(kernels::Communicator* group, float* data, std::int64_t count)
{
    StepReduction reduction;
    reduction.group = group;
    reduction.bytes = count * std::int64_t(sizeof(float));
    if (group)
        reduction.request = group->allReduce(data, count, sum);
    return reduction;
}

StepReduction start(kernels::Communicator* group, double* value)
{
    StepReduction reduction;
    reduction.group = group;
    reduction.bytes = sizeof *value;
    if (group && group->size() > 1)
        reduction.request = group->allReduce(value, 1, sum);
    return reduction;
}

/// Elements of a bucket: cut from the tensor rank of the stage that holds most.
std::int64_t bucketSize(const RankState& state, int chunk)
{
    const auto sizes = shardSizes(state.plan.model, state.plan.layout.tp);
    const std::int64_t largest =
        largestChunkElements(sizes, state.plan.model, state.stage().chunks, Chunk(chunk));
    return bucketElements(largest, state.inputs);
}

template <class Visit>
void forEachReplicatedHead(RankState& state, int chunk, Visit visit)
{
    const ElementRange range = state.store.chunkRange(chunk);
    for (const ParameterSlot& slot : state.store.parameters())
        if (slot.spec.split == TensorSplit::KeyValueHeads && slot.offset >= range.begin &&
            slot.offset < range.end)
            visit(slot);
}

} // namespace

StepReduction reduceGradientBucket(RankState& state, int chunk, int bucket)
{
    if (bucket == 0)
        state.store.clearUntouched(state.compute, chunk);
    const ElementRange range = state.store.chunkRange(chunk);
    const std::int64_t size = bucketSize(state, chunk);
    const std::int64_t begin = std::min(range.end, range.begin + bucket * size);
    const std::int64_t end = std::min(range.end, begin + size);
    return start(state.groups.data.get(), state.store.gradients() + begin, end - begin);
}

StepReduction reduceTiedEmbedding(RankState& state)
{
    const std::string name = tokenEmbedding(parametersOf(state.plan.model)).name;
    const ParameterSlot* slot = state.store.find(name);
    if (!slot)
        throw Error("cannot add up the gradients of " + name, "this stage holds no copy of it");
    return start(state.groups.tied.get(), state.store.gradients() + slot->offset, slot->count);
}

StepReduction reduceReplicatedHeads(RankState& state, int chunk)
{
    std::int64_t count = 0;
    forEachReplicatedHead(state, chunk, [&](const ParameterSlot& slot) { count += slot.count; });
    kernels::Device& device = state.compute.device;
    kernels::Buffer packed = device.allocateFloats(count, kernels::MemoryUse::Communication);
    float* to = packed.floats();
    forEachReplicatedHead(state, chunk, [&](const ParameterSlot& slot) {
        device.copy(*state.stream, to, state.store.gradients() + slot.offset, slot.count);
        to += slot.count;
    });
    StepReduction reduction = start(state.groups.replicas.get(), packed.floats(), count);
    reduction.packed = std::move(packed);
    return reduction;
}

void unpackReplicatedHeads(RankState& state, int chunk, const StepReduction& reduction)
{
    const float* from = reduction.packed.floats();
    forEachReplicatedHead(state, chunk, [&](const ParameterSlot& slot) {
        state.compute.device.copy(*state.stream, state.store.gradients() + slot.offset, from,
                                  slot.count);
        from += slot.count;
    });
}

StepReduction reduceNorm(RankState& state, double* squaredNorm)
{
    return start(state.groups.model.get(), squaredNorm);
}

StepReduction reduceLoss(RankState& state, double* loss)
{
    return start(state.groups.everyone.get(), loss);
}

} // namespace triaxis::train
