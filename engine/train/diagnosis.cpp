#include "engine/train/diagnosis.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace triaxis::train
{
namespace
{

/// Place in the model: the embedding is 0, layer l is l + 1, the head L + 1.
using Place = int;

std::string nameOf(Place place, int layers)
{
    if (place == 0)
        return "the embedding";
    return place > layers ? "the final norm and head" : "layer " + std::to_string(place - 1);
}

bool finite(RankState& state, const kernels::Buffer& activation)
{
    return state.compute.device.allFinite(*state.stream, activation.floats(),
                                          state.shape().rows() * state.plan.model.hidden);
}

/// Runs one microbatch through a chunk; the first place whose output is not finite.
std::optional<Place> firstBadPlace(RankState& state, const ChunkLayers& chunk, ChunkSaved& saved,
                                   kernels::Buffer& x)
{
    Compute& compute = state.compute;
    const MicrobatchShape shape = state.shape();
    std::optional<Place> bad;
    const auto note = [&](Place place, bool good) {
        if (!good && !bad)
            bad = place;
    };
    if (chunk.embedding) {
        x = embeddingForward(compute, *chunk.embedding, shape, saved.tokens.ints());
        note(0, finite(state, x));
    }
    for (std::size_t i = 0; i < chunk.blocks.size(); ++i) {
        BlockSaved unused;
        x = attentionForward(compute, chunk.blocks[i].attention, shape, std::move(x),
                             unused.attention);
        x = mlpForward(compute, chunk.blocks[i].mlp, shape, std::move(x), unused.mlp);
        note(chunk.content.firstLayer + int(i) + 1, finite(state, x));
    }
    if (chunk.head) {
        headForward(compute, *chunk.head, shape, std::move(x), saved.targets.ints(), saved.head,
                    nullptr);
        const double loss = compute.device.crossEntropySum(
            compute.stream, saved.head.sums.floats(), shape.rows());
        note(state.plan.model.layers + 1, std::isfinite(loss));
    }
    return bad;
}

/// The stage that holds a virtual stage of the first replica of the weights.
int stageOf(const Program& program, int virtualStage)
{
    for (const StageProgram& stage : program.perStage)
        for (const ChunkContent& chunk : stage.chunks)
            if (chunk.replica == 0 && chunk.virtualStage == virtualStage)
                return stage.stage.value;
    return -1;
}

/// All microbatches through all chunks of this rank, in the order of the model.
std::optional<Place> firstBadPlace(RankState& state, std::int64_t step)
{
    std::vector<const ChunkLayers*> ordered;
    for (const ChunkLayers& chunk : state.chunks)
        if (chunk.content.replica == 0)
            ordered.push_back(&chunk);
    std::sort(ordered.begin(), ordered.end(), [](const ChunkLayers* a, const ChunkLayers* b) {
        return a->content.virtualStage < b->content.virtualStage;
    });
    const std::size_t bytes =
        std::size_t(state.shape().rows() * state.plan.model.hidden) * sizeof(float);
    std::optional<Place> first;
    for (int microbatch = 0; microbatch < state.feed.microbatches(); ++microbatch) {
        kernels::Buffer x;
        for (const ChunkLayers* chunk : ordered) {
            const int previous = stageOf(state.program, chunk->content.virtualStage - 1);
            const int next = stageOf(state.program, chunk->content.virtualStage + 1);
            if (previous >= 0 && previous != state.at.pipeline) {
                x = state.compute.device.allocate(bytes, kernels::MemoryUse::Activations);
                const auto request = state.groups.pipeline->receive(x.data(), bytes, previous, 0);
                state.world.wait(*request);
            }
            ChunkSaved saved;
            state.feed.fill(state.compute, chunk->content, step, microbatch, saved);
            const std::optional<Place> bad = firstBadPlace(state, *chunk, saved, x);
            if (bad && (!first || *bad < *first))
                first = bad;
            if (next >= 0 && next != state.at.pipeline) {
                const auto request = state.groups.pipeline->send(x.data(), bytes, next, 0);
                state.world.wait(*request);
            }
        }
    }
    return first;
}

/// Index into the model's parameters of the last one, in forward order, whose gradient is not
/// finite: where the backward first met such a value.
std::optional<int> lastBadGradient(RankState& state)
{
    const std::vector<ParameterSpec> all = parametersOf(state.plan.model);
    std::optional<int> last;
    for (const ParameterSlot& slot : state.store.parameters()) {
        if (state.compute.device.allFinite(*state.stream, state.store.gradients() + slot.offset,
                                           slot.count))
            continue;
        const auto spec = std::find_if(all.begin(), all.end(), [&](const ParameterSpec& p) {
            return p.name == slot.spec.name;
        });
        const int index = int(spec - all.begin());
        if (!last || index > *last)
            last = index;
    }
    return last;
}

/// The largest key of all ranks; −1 where none has one. Keys carry the rank, so that ties have one
/// winner.
int largestOfAll(RankState& state, std::optional<int> key)
{
    double value = key ? double(*key) : -1.0;
    const auto request = state.groups.everyone->allReduce(&value, 1, kernels::Reduction::Maximum);
    state.world.wait(*request);
    return int(value);
}

} // namespace

void throwNotFinite(RankState& state, std::int64_t step, double loss, double gradientNorm)
{
    const int ranks = state.world.size();
    const int layers = state.plan.model.layers;
    const int lastRank = ranks - 1 - state.rank().value; // the lowest rank wins a tie
    const auto key = [&](int value) { return value * ranks + lastRank; };

    const std::optional<Place> bad = firstBadPlace(state, step);
    const int earliest =
        largestOfAll(state, bad ? std::optional(key(layers + 1 - *bad)) : std::nullopt);
    const std::optional<int> gradient = lastBadGradient(state);
    const int latest = largestOfAll(state, gradient ? std::optional(key(*gradient)) : std::nullopt);

    std::string where = "no layer gives such a value when the step is run again";
    if (earliest >= 0)
        where = "rank " + std::to_string(ranks - 1 - earliest % ranks) +
                ": the first value that is not finite comes from " +
                nameOf(layers + 1 - earliest / ranks, layers);
    else if (latest >= 0)
        where = "rank " + std::to_string(ranks - 1 - latest % ranks) +
                ": all layers give finite values; the gradient of " +
                parametersOf(state.plan.model)[std::size_t(latest / ranks)].name + " does not";
    const char* what = std::isfinite(loss) ? "the gradient norm is " : "the loss is ";
    const double value = std::isfinite(loss) ? gradientNorm : loss;
    throw Error("the run cannot go on: in step " + std::to_string(step) + " " + what +
                    (std::isnan(value) ? "not a number" : "infinite"),
                where, "lower the learning rate, or clip the gradient norm");
}

} // namespace triaxis::train
