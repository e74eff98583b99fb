#pragma once

#include "engine/cost/step_estimate.h"
#include "engine/search/scan_shapes.h"

#include <array>

namespace triaxis
{

/// Rounding of sums in another order must not cut off what it bounds.
inline constexpr double boundSlack = 1 - 1e-9;

/// What one microbatch costs and keeps, by microbatch size, recompute and sequence parallelism.
struct UnitBound
{
    UnitCosts costs;
    double denseKept = 0; ///< bytes of a layer
    double expertKept = 0;
    double workspace = 0;
    double logits = 0;
    double layerSeconds = 0; ///< all passes of the longest layer
};

/// `plan`: the layout as far as those depend on it.
UnitBound unitBound(const TrainingJob& job, const ParallelPlan& plan);

/// What a step takes beside the pipeline at least. Whatever hides of an exchange is no longer
/// than the passes that it hides behind, nor than the profile's share of it.
double tailBound(const TrainingJob& job, const LoadTerms& load, std::size_t zero,
                 const PipelineTerms& terms, const UnitBound& unit, double microbatches);

/// Bytes of the fullest of the watched stages at least. `states`, `kept` and `live`: of the
/// weights, of a microbatch, and how many of those are alive.
double memoryBound(const TrainingJob& job, const std::array<double, watchedStages>& states,
                   const std::array<double, watchedStages>& kept,
                   const std::array<double, watchedStages>& live, const LayerSpread& spread,
                   const UnitBound& unit);

} // namespace triaxis
