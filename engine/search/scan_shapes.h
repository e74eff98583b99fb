#pragma once

#include "engine/search/plan_bound.h"
#include "engine/search/plan_space.h"

#include <array>
#include <vector>

namespace triaxis
{

inline constexpr std::size_t zeroStages = 4;

/// The stages whose memory bounds that of all: the first, the last and the widest.
inline constexpr std::size_t watchedStages = 3;

/// How the layers of one pipeline size spread over one number of virtual stages, whatever the other
/// sizes.
struct LayerSpread
{
    int virtualStages = 1;
    Placement placement = Placement::Looped;
    std::vector<std::uint8_t> schedules; ///< that run on it
    std::array<int, watchedStages> watched{};
    std::array<double, watchedStages> denseLayers{}; ///< of one copy where there are two
    std::array<double, watchedStages> expertLayers{};
    std::array<double, watchedStages> heads{};
    /// Spreads that load all stages alike have the same number, and share what depends on that.
    int sameLoad = 0;
};

/// All spreads of a pipeline size.
struct StageSpreads
{
    std::vector<LayerSpread> spreads;
    int loads = 0; ///< numbers of `sameLoad`
};

/// Empty where the model has too few layers.
StageSpreads layerSpreads(const TrainingJob& job, const PlanLimits& limits,
                          const std::vector<std::uint8_t>& schedules, int stages);

/// What a loading of the stages costs at given sizes, whatever microbatch, recompute and schedule.
struct LoadTerms
{
    std::array<double, zeroStages> fixedTail{}; ///< seconds: update, overhead, tied embedding
    std::array<double, zeroStages> reduction{}; ///< seconds, nothing hidden
    std::array<double, zeroStages> gathers{};   ///< the same, of one microbatch
    std::array<std::array<double, watchedStages>, zeroStages> states{}; ///< bytes
};

/// `spread`: one of those that load the stages this way. `plan`: tp, cp, ep, expertTp, dp and pp.
LoadTerms loadTerms(const TrainingJob& job, ParallelPlan plan, const LayerSpread& spread);

} // namespace triaxis
