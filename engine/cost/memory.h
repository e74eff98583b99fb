#pragma once

#include "engine/cost/training_job.h"

#include <vector>

namespace triaxis
{

/// Bytes of one rank by category.
struct MemoryParts
{
    double weights = 0;
    double gradients = 0;
    double optimizer = 0;
    double activations = 0; ///< of all microbatches in flight
    double logits = 0;      ///< of the last stage: logits, their gradient, the loss
    double gathers = 0;     ///< ZeRO-3: layers gathered at one time
    double workspace = 0;   ///< products, communication buffers
    double allocator = 0;   ///< reserved beyond allocated: the profile's factor
    double fixed = 0;       ///< context and libraries
    double total() const
    {
        return weights + gradients + optimizer + activations + logits + gathers + workspace +
               allocator + fixed;
    }
};

/// Bytes that one layer keeps for one microbatch from forward to backward, on one rank (Korthikanti
/// et al. 2022, equations 1 to 6; fused attention keeps no scores).
double layerActivationBytes(const TrainingJob& job, const ParallelPlan& plan,
                            bool expertLayer = false);

/// Microbatch shares that live at once on a stage, in units of one stage's whole share (1F1B: min(P
/// − r, M), …).
double liveMicrobatches(const ParallelPlan& plan, std::int64_t microbatches, int stage);

/// Peak memory of the rank of each pipeline stage [P].
std::vector<MemoryParts> memoryByStage(const TrainingJob& job, const ParallelPlan& plan);
/// The same where the live shares [P] are known already.
std::vector<MemoryParts> memoryByStage(const TrainingJob& job, const ParallelPlan& plan,
                                       const std::vector<double>& live);
/// The largest total of memoryByStage, bytes.
double peakMemory(const TrainingJob& job, const ParallelPlan& plan);

} // namespace triaxis
