#include "engine/search/cluster_search.h"

#include "engine/cost/memory.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Least bytes of one rank when all are sharded over all devices: weights, gradients and optimizer
/// of the model once.
double leastBytes(const TrainingJob& job, int devices)
{
    const double perParameter =
        2 + job.trainedShare * std::min(1.0, job.software.optimizerBytes / 12);
    return parameterCount(job.model) * perParameter / devices;
}

} // namespace

std::vector<int> clusterSizes(const TrainingJob& job, double memoryBytes, int most)
{
    std::vector<int> sizes;
    const int node = std::min(job.cluster.nodeSize(), most);
    for (int size = 1; size < node; size *= 2) {
        sizes.push_back(size);
    }
    for (std::int64_t size = node; size <= most; size += node) {
        sizes.push_back(static_cast<int>(size));
    }
    std::erase_if(sizes, [&](int size) { return leastBytes(job, size) > memoryBytes; });
    return sizes;
}

std::optional<SizedResult> smallestCluster(const SearchRequest& request, int most)
{
    SearchRequest sized = request;
    const double capacity = memoryLimit(request.job, request.limits);
    for (const int devices : clusterSizes(request.job, capacity, most)) {
        sized.job.devices = devices;
        SearchResult result = searchPlans(sized);
        if (!result.best.empty() || !result.complete) {
            return SizedResult{sized.job, std::move(result)};
        }
    }
    return std::nullopt;
}

} // namespace triaxis
