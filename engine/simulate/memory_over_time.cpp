#include "engine/simulate/memory_over_time.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis
{
namespace
{

/// Activations of a chunk come or go.
struct Change
{
    double time = 0;
    double share = 0; ///< of the stage's layers; negative: freed
};

/// At one instant what comes counts before what goes: the higher of both is what has to fit.
bool before(const Change& a, const Change& b)
{
    return a.time != b.time ? a.time < b.time : a.share > b.share;
}

std::vector<double> chunkShares(const StageProgram& stage)
{
    std::vector<double> shares;
    for (const ChunkContent& chunk : stage.chunks)
        shares.push_back(double(chunk.layerCount));
    const double all = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
        share = all > 0 ? share / all : 1.0 / double(shares.size());
    return shares;
}

std::int64_t bytes(double value)
{
    return std::int64_t(std::llround(std::clamp(value, 0.0, 9e18)));
}

MemorySample constantSample(const MemoryParts& parts, Rank rank, std::int32_t step)
{
    MemorySample sample;
    sample.rank = rank;
    sample.step = step;
    const auto set = [&](MemoryCategory category, double value) {
        sample.live[std::size_t(category)] = bytes(value);
    };
    set(MemoryCategory::Weights, parts.weights);
    set(MemoryCategory::Gradients, parts.gradients);
    set(MemoryCategory::Optimizer, parts.optimizer);
    set(MemoryCategory::Communication, parts.gathers);
    set(MemoryCategory::Workspace, parts.total() - parts.weights - parts.gradients -
                                       parts.optimizer - parts.gathers - parts.activations);
    return sample;
}

void addSamples(std::vector<MemorySample>& samples, std::vector<Change> changes,
                const MemoryParts& parts, MemorySample sample)
{
    std::sort(changes.begin(), changes.end(), before);
    double live = 0;
    double most = 0;
    for (const Change& change : changes)
        most = std::max(most, live += change.share);
    const auto activations = std::size_t(MemoryCategory::Activations);
    sample.peak = sample.live;
    live = 0;
    for (const Change& change : changes) {
        live += change.share;
        sample.time = change.time;
        sample.live[activations] =
            bytes(most > 0 ? parts.activations * std::max(0.0, live) / most : 0);
        sample.peak[activations] = std::max(sample.peak[activations], sample.live[activations]);
        const std::int64_t total =
            std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0));
        sample.peakTotal = std::max(sample.peakTotal, total);
        samples.push_back(sample);
    }
}

} // namespace

std::vector<MemorySample> memoryOverTime(const SimulatedPlan& plan, const Prediction& prediction,
                                         const std::vector<MemoryParts>& byStage)
{
    const auto stages = std::size_t(plan.compiled.stages());
    std::vector<std::vector<double>> shares;
    for (const StageProgram& stage : plan.program.perStage)
        shares.push_back(chunkShares(stage));
    std::vector<std::vector<Change>> changes(stages);
    std::vector<Rank> ranks(stages);
    for (const Span& span : prediction.spans) {
        const Kind kind = span.id.kind();
        const auto stage = std::size_t(coordinatesOf(prediction.layout, span.rank).pipeline);
        ranks[stage] = span.rank;
        if (span.lane != Lane::Compute || kind == Kind::OptimizerStep)
            continue;
        const double share = shares[stage][std::size_t(span.id.chunk().value)];
        if (kind == Kind::Forward)
            changes[stage].push_back({span.begin, share});
        else if (kind != Kind::BackwardInput)
            changes[stage].push_back({span.end, -share});
    }
    std::vector<MemorySample> samples;
    for (std::size_t stage = 0; stage < std::min(stages, byStage.size()); ++stage)
        addSamples(samples, std::move(changes[stage]), byStage[stage],
                   constantSample(byStage[stage], ranks[stage], 1));
    return samples;
}

} // namespace triaxis
