#include "engine/cost/reference_layers.h"

#include "engine/cost/core_pace.h"
#include "engine/cost/layer_walk.h"

#include <algorithm>
#include <map>

namespace triaxis
{
namespace
{

constexpr int headSize = 32;

/// Seconds of all parts, as samples of an occupancy show them.
double sumOf(const std::vector<WorkPart>& parts, const Occupancy& under)
{
    double sum = 0;
    for (const WorkPart& part : parts)
        sum += under.ranks > 1 ? part.seconds.crowded : part.seconds.alone;
    return sum;
}

/// What a sample took over the sum of its operations.
CompanySample companyOf(const LayerSample& sample, const MachineRates& rates, double slowness)
{
    const ReferenceLayers layers{sample.width, sample.time, sample.layers};
    const RunPlan plan = planOf(layers);
    const std::int64_t parameterBytes = sample.parameters * std::int64_t(sizeof(float));
    const auto passes = [&](LayerWalk& walk) {
        ChunkHeld saved;
        const Held output = walk.chunkForward(contentOf(layers), {}, saved);
        walk.chunkBackward(contentOf(layers), 0, output, saved, true);
    };
    LayerWalk first(plan, 0, rates);
    passes(first);
    const std::int64_t kept = first.memory().peak[std::size_t(MemoryCategory::Activations)];
    LayerWalk walk(plan, 0, rates);
    walk.setWorkingSet(4 * parameterBytes + kept);
    walk.setKeptSet(2 * parameterBytes + kept);
    passes(walk);
    const double alone = sumOf(walk.takeParts(), sample.under);
    walk.operation(MachineOperation::AdamW, sample.parameters);
    const double update = sumOf(walk.takeParts(), sample.under);
    const auto share = [&](double seconds, double sum) {
        return sum > 0 ? std::clamp(seconds / slowness / sum, 0.5, 4.0) : 1.0;
    };
    return {sample.under, workOf(sample.time, sample.width), share(sample.passes, alone),
            share(sample.update, update)};
}

} // namespace

std::vector<ReferenceLayers> referenceLayers()
{
    return {{128, 128, 4}, {256, 256, 3}, {768, 128, 2}};
}

RunPlan planOf(const ReferenceLayers& layers)
{
    RunPlan plan;
    plan.model.name = "reference layers";
    plan.model.architecture = Architecture::Gpt2;
    plan.model.vocabulary = 16;
    plan.model.positions = layers.time;
    plan.model.hidden = layers.width;
    plan.model.layers = layers.layers;
    plan.model.heads = plan.model.kvHeads = std::max(1, layers.width / headSize);
    plan.model.headSize = layers.width / plan.model.heads;
    plan.model.feedForward = 4 * layers.width;
    plan.training.batch = {1, 1, layers.time};
    return plan;
}

ChunkContent contentOf(const ReferenceLayers& layers)
{
    ChunkContent content;
    content.layerCount = layers.layers;
    return content;
}

MachineRates ratesInCompany(const MachineCalibration& calibration, int threads)
{
    std::map<int, MachineRates> byThreads;
    std::vector<CompanySample> samples;
    for (const LayerSample& sample : calibration.layers) {
        const auto rates =
            byThreads.try_emplace(sample.under.threads, calibration, sample.under.threads).first;
        samples.push_back(
            companyOf(sample, rates->second, slownessOfSamples(calibration, sample.under)));
    }
    MachineRates rates(calibration, threads);
    rates.setCompany(samples);
    return rates;
}

} // namespace triaxis
