#pragma once

#include "engine/search/pareto.h"
#include "engine/search/plan_scan.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace triaxis
{

/// A layout with what it is predicted to take, exact under the model.
struct PricedPlan
{
    ParallelPlan plan;
    double seconds = 0; ///< of a step
    double memory = 0;  ///< bytes of the fullest rank
};

struct SearchRequest
{
    TrainingJob job;
    PlanLimits limits;
    int keep = 10;      ///< layouts that are wanted, the best first
    int refined = 100;  ///< best layouts whose layers are also split unevenly; 0: none
    bool front = false; ///< also the Pareto front of step time and memory
    /// Now and then, many times a second; false ends the search, whose result is then incomplete.
    /// May be empty.
    std::function<bool(const ScanProgress&)> progress;
    /// Whenever a layout (with an even split) is faster than all before it. May be empty. All calls
    /// come on the thread of the search.
    std::function<void(const PricedPlan&)> found;
    /// Asked to stop, the search ends within milliseconds with what it has, incomplete.
    std::stop_token stop;
};

struct SearchResult
{
    /// Layouts that differ in more than what is sharded: of those that do not, the best stands for
    /// all. No layout of the space with an even split is faster than the first.
    std::vector<PricedPlan> best;
    std::vector<PricedPoint> front;  ///< even splits
    std::optional<PricedPlan> thumb; ///< the rule of thumb's answer; empty where nothing fits
    ScanCounts counts;
    std::int64_t exact = 0;   ///< layouts priced exactly
    std::int64_t refined = 0; ///< uneven splits priced
    double seconds = 0;       ///< that the search took
    bool complete = true;
};

/// The best layouts of a job. Every layout within the limits is priced by the bound; those that the
/// bound does not exclude are priced exactly. The same request gives the same result. Finds none
/// where nothing fits (refusalText says why). Throws Error for a job that no layout can run and for
/// limits that cannot hold.
SearchResult searchPlans(const SearchRequest& request);

/// Tensor size and pipeline size as small as fit, the tensor group within a node and before the
/// pipeline, the rest data parallel with the optimizer sharded; microbatches of one sequence, 1F1B,
/// as little recompute as fits.
std::optional<PricedPlan> ruleOfThumb(const TrainingJob& job, double memoryBytes);

/// What is wrong, and the smallest change that helps, where no layout was found.
std::string refusalText(const TrainingJob& job, const PlanLimits& limits, const ScanCounts& counts);

} // namespace triaxis
