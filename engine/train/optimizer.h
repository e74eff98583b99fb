#pragma once

#include "engine/record/run_plan.h"
#include "engine/train/parameter_store.h"

namespace triaxis::train
{

/// This rank's share of Σ g² over all parameters, each counted once over the tensor and pipeline
/// axes: a split parameter where it lies, a replicated one on the first rank that holds it, the
/// second copy of a tied embedding never.
double squaredGradientNorm(Compute& compute, ParameterStore& store);

/// Factor on the gradients that brings their norm down to `clipNorm`; 1 if it is smaller, or
/// clipping is off (0).
double clipFactor(double gradientNorm, double clipNorm);

/// Linear warm-up over the first steps, then constant. `step` counts from 1.
double learningRateAt(const TrainingPlan& training, std::int64_t step);

/// AdamW on every parameter of the rank; weight decay on tensors of two or more dimensions only.
void optimizerStep(Compute& compute, ParameterStore& store, const TrainingPlan& training,
                   std::int64_t step, double gradientFactor);

} // namespace triaxis::train
