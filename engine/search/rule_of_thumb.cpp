#include "engine/core/error.h"
#include "engine/search/exact_prices.h"
#include "engine/search/plan_search.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Pairs of a tensor size within a node and a pipeline size, by their product, the larger tensor
/// size first.
std::vector<std::pair<int, int>> modelSizes(const TrainingJob& job)
{
    std::vector<std::pair<int, int>> sizes;
    for (const int tp : axisValues(job.devices, {}, job.cluster.nodeSize())) {
        for (const int pp : axisValues(job.devices / tp, {}, job.model.layers)) {
            sizes.emplace_back(tp, pp);
        }
    }
    std::sort(sizes.begin(), sizes.end(), [](const auto& a, const auto& b) {
        const auto product = [](const auto& size) {
            return static_cast<std::int64_t>(size.first) * size.second;
        };
        return product(a) != product(b) ? product(a) < product(b) : a.first > b.first;
    });
    return sizes;
}

} // namespace

std::optional<PricedPlan> ruleOfThumb(const TrainingJob& job, double memoryBytes)
{
    ExactPrices prices(job);
    for (const auto& [tp, pp] : modelSizes(job)) {
        ParallelPlan plan;
        plan.tp = tp;
        plan.pp = pp;
        plan.dp = job.devices / tp / pp;
        plan.sequenceParallel = tp > 1 && job.sequence % tp == 0;
        plan.zero = plan.dp > 1 ? ZeroStage::Optimizer : ZeroStage::None;
        if (hasErrors(checkPlan(job, plan)) ||
            !isWritable(pp, plan.microbatches(job.globalBatch), 1)) {
            continue;
        }
        for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full}) {
            plan.recompute = recompute;
            const double memory = prices.memory(plan);
            if (memory <= memoryBytes) {
                return PricedPlan{plan, prices.seconds(plan), memory};
            }
        }
    }
    return std::nullopt;
}

} // namespace triaxis
