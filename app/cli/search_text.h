#pragma once

#include "engine/search/cluster_search.h"

#include <nlohmann/json.hpp>
#include <vector>

namespace triaxis::cli
{

/// The table of the best layouts, what the rule of thumb loses, what was rejected and why.
/// `price`: of one device for one hour; 0: costs are given in device-hours.
void printSearch(const SizedResult& sized, const PlanLimits& limits, double price);

/// Why a layout is not the best: the rules it breaks, the memory it lacks, or where its time goes
/// beside the best.
void printExplained(const SizedResult& sized, const PlanLimits& limits, const ParallelPlan& plan);

/// The same as JSON.
nlohmann::ordered_json explainedJson(const SizedResult& sized, const PlanLimits& limits,
                                     const ParallelPlan& plan);

nlohmann::ordered_json searchJson(const std::vector<SizedResult>& all, const PlanLimits& limits,
                                  double price);

} // namespace triaxis::cli
