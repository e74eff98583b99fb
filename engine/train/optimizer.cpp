#include "engine/train/optimizer.h"

namespace triaxis::train
{
namespace
{

/// Neighbouring slots with the same setting, updated in one call.
struct Region
{
    std::int64_t offset = 0;
    std::int64_t count = 0;
    bool decays = false;
};

std::vector<Region> regionsOf(const ParameterStore& store)
{
    std::vector<Region> regions;
    for (const ParameterSlot& slot : store.parameters()) {
        if (regions.empty() || regions.back().decays != slot.spec.decays)
            regions.push_back({slot.offset, 0, slot.spec.decays});
        regions.back().count += slot.count;
    }
    return regions;
}

} // namespace

void addSquaredGradientNorm(Compute& compute, ParameterStore& store, double* total)
{
    for (const ParameterSlot& slot : store.parameters()) {
        if (!slot.shard.counted || slot.tiedCopy || slot.twin)
            continue;
        compute.device.addSumOfSquares(compute.stream, total, store.gradients() + slot.offset,
                                       slot.count);
        compute.tensor.progress();
    }
}

double learningRateAt(const TrainingPlan& training, std::int64_t step)
{
    if (step >= training.warmupSteps)
        return training.learningRate;
    return training.learningRate * double(step) / double(training.warmupSteps);
}

void optimizerStep(Compute& compute, ParameterStore& store, const TrainingPlan& training,
                   std::int64_t step, const float* gradientFactor)
{
    kernels::AdamW settings;
    settings.learningRate = float(learningRateAt(training, step));
    settings.beta1 = float(training.beta1);
    settings.beta2 = float(training.beta2);
    settings.epsilon = float(training.epsilon);
    settings.gradientScaleAt = gradientFactor;
    settings.step = step;
    for (const Region& region : regionsOf(store)) {
        settings.weightDecay = region.decays ? float(training.weightDecay) : 0.0F;
        compute.device.adamW(compute.stream, store.values() + region.offset,
                             store.firstMoments() + region.offset,
                             store.secondMoments() + region.offset,
                             store.gradients() + region.offset, settings, region.count);
        compute.tensor.progress();
    }
}

} // namespace triaxis::train
