#include "engine/search/uneven_split.h"

#include "engine/core/error.h"
#include "engine/cost/stage_shares.h"

#include <algorithm>
#include <numeric>

namespace triaxis
{
namespace
{

constexpr int mostMoves = 32;
constexpr std::size_t mostTargets = 3;

std::vector<int> splitOf(const TrainingJob& job, const ParallelPlan& plan)
{
    std::vector<int> split;
    for (const StageShare& share : stageShares(job, plan)) {
        split.push_back(share.layers());
    }
    split.back() -= job.model.predictedTokens - 1;
    return split;
}

/// Seconds of each stage for one microbatch.
std::vector<double> stageWork(const ParallelPlan& plan, const StageCosts& costs)
{
    std::vector<double> work;
    const double copies = replicasOf(plan);
    for (const std::vector<int>& held : virtualStagesByStage(plan)) {
        double sum = 0;
        for (const int index : held) {
            sum += (costs.forward[index] + costs.input[index] + costs.weight[index]) / copies;
        }
        work.push_back(sum);
    }
    return work;
}

/// The virtual stage of a stage with the most (or the fewest) layers.
int chunkOf(const std::vector<int>& held, const std::vector<int>& split, bool most)
{
    const auto fewer = [&](int a, int b) { return split[a] < split[b]; };
    return most ? *std::max_element(held.begin(), held.end(), fewer)
                : *std::min_element(held.begin(), held.end(), fewer);
}

} // namespace

PricedPlan withBetterSplit(const TrainingJob& job, PricedPlan priced, double memoryBytes,
                           double goal, ExactPrices& prices, std::int64_t& tried)
{
    if (priced.plan.pp == 1) {
        return priced;
    }
    const UnitCosts unit = unitCosts(job, priced.plan);
    const auto held = virtualStagesByStage(priced.plan);
    const double microbatches = static_cast<double>(priced.plan.microbatches(job.globalBatch));
    for (int move = 0; move < mostMoves; ++move) {
        const std::vector<double> work = stageWork(priced.plan, stageCosts(job, priced.plan, unit));
        const double mean = std::accumulate(work.begin(), work.end(), 0.0) / priced.plan.pp;
        if (microbatches * mean > goal) {
            return priced;
        }
        std::vector<int> order(work.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](int a, int b) { return work[a] < work[b]; });
        const std::vector<int> split = splitOf(job, priced.plan);
        const int from = chunkOf(held[order.back()], split, true);
        bool better = false;
        for (std::size_t index = 0; index + 1 < order.size() && index < mostTargets; ++index) {
            PricedPlan moved = priced;
            moved.plan.layersPerStage = split;
            const int to = chunkOf(held[order[index]], split, false);
            if (split[from] == 0 || from == to) {
                continue;
            }
            --moved.plan.layersPerStage[from];
            ++moved.plan.layersPerStage[to];
            moved.memory = prices.memory(moved.plan);
            moved.seconds = prices.seconds(moved.plan);
            ++tried;
            constexpr double worthIt = 1 - 1e-9;
            if (moved.memory <= memoryBytes && moved.seconds < priced.seconds * worthIt) {
                priced = moved;
                better = true;
                break;
            }
        }
        if (!better) {
            return priced;
        }
    }
    return priced;
}

} // namespace triaxis
