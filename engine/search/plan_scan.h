#pragma once

#include "engine/search/plan_space.h"

#include <array>
#include <cstdint>
#include <functional>

namespace triaxis
{

/// A layout that fits as far as the closed forms see, with what they know of it.
struct PlanCandidate
{
    PlanPoint point;
    double bound = 0;  ///< seconds a step that the exact price does not undercut
    double memory = 0; ///< bytes that the exact peak does not undercut
};

struct ScanCounts
{
    std::array<std::int64_t, rejections> rejected{};
    std::int64_t layouts = 0; ///< whole layouts priced by closed forms, those that do not fit too
    PlanCandidate smallest;   ///< the one that takes the least memory, if any does not fit
};

struct ScanProgress
{
    std::int64_t layouts = 0;
    double share = 0;       ///< of the whole search, 0 … 1; never falls
    std::int64_t exact = 0; ///< layouts priced exactly so far
    double best = 0;        ///< seconds of a step of the best of them; 0: none yet
};

struct ScanCalls
{
    /// Called for each layout that fits; false: it cannot be among the best.
    std::function<bool(const PlanCandidate&)> take;
    /// Called now and then; false ends the scan. May be empty.
    std::function<bool(const ScanProgress&)> progress;
};

/// Walks all layouts of the job within the limits, always in the same order, with a lower bound of
/// step time and memory for each. Throws Error for a limit that names no schedule.
void scanPlans(const TrainingJob& job, const PlanLimits& limits, const ScanCalls& calls,
               ScanCounts& counts);

} // namespace triaxis
