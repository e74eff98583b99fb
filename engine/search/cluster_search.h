#pragma once

#include "engine/search/plan_search.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace triaxis
{

/// Numbers of devices that a search for the smallest cluster tries: powers of two up to a node,
/// then whole nodes, none that could not even hold the weights and optimizer state spread over all.
std::vector<int> clusterSizes(const TrainingJob& job, double memoryBytes, int most);

/// The search at the first of these sizes at which anything fits (its job says how many devices);
/// empty if none does.
struct SizedResult
{
    TrainingJob job;
    SearchResult result;
};
std::optional<SizedResult> smallestCluster(const SearchRequest& request, int most);

} // namespace triaxis
