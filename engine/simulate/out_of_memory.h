#pragma once

#include "engine/simulate/plan_changes.h"
#include "engine/simulate/prediction.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace triaxis
{

/// A change after which the plan fits.
struct MemoryMend
{
    std::vector<PlanChange> changes; ///< one, or two where no single one is enough; the last holds
                                     ///< the plan
    double seconds = 0;              ///< of the step then
    double memory = 0;               ///< bytes of the fullest rank then
    const ParallelPlan& plan() const { return changes.back().plan; }
    std::string text() const; ///< "recompute none → selective, microbatch 4 → 2"
};

/// Why a plan does not fit into its devices, and what to do.
struct OutOfMemory
{
    int stage = 0;     ///< the fullest
    double needed = 0; ///< bytes
    double available = 0;
    MemoryParts parts;                                   ///< of that stage
    std::vector<std::pair<std::string, double>> largest; ///< categories and bytes, largest first
    std::optional<Span> instant; ///< the forward at whose begin it no longer fits; none: it does
                                 ///< not fit before the first
    int liveThen = 0;              ///< microbatches and chunks kept at that instant
    std::vector<MemoryMend> mends; ///< by predicted step time, quickest first
};

/// Empty for a plan that fits. Tries changes one by one, then pairs of them where none is enough.
/// `prediction`: of the plan with its spans, for the instant; may be null. Throws Error for a plan
/// that breaks a rule.
std::optional<OutOfMemory> explainOutOfMemory(const TrainingJob& job, const ParallelPlan& plan,
                                              const SimulatedPlan* simulated,
                                              const Prediction* prediction);

} // namespace triaxis
