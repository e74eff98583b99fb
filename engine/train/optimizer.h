#pragma once

#include "engine/record/run_plan.h"
#include "engine/train/parameter_store.h"

namespace triaxis::train
{

/// Adds to `total`, on the device, this rank's share of Σ g² over all parameters, each counted once over the tensor and pipeline
/// axes: a split parameter where it lies, a replicated one on the first rank that holds it, the
/// second copy of a tied embedding never.
void addSquaredGradientNorm(Compute& compute, ParameterStore& store, double* total);

/// Linear warm-up over the first steps, then constant. `step` counts from 1.
double learningRateAt(const TrainingPlan& training, std::int64_t step);

/// AdamW on every parameter of the rank; weight decay on tensors of two or more dimensions only.
/// `gradientFactor`, on the device: of Device::clipFactor().
void optimizerStep(Compute& compute, ParameterStore& store, const TrainingPlan& training,
                   std::int64_t step, const float* gradientFactor);

} // namespace triaxis::train
