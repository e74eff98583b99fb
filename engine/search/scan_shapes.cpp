#include "engine/search/scan_shapes.h"

#include "engine/cost/memory.h"
#include "engine/cost/stage_shares.h"
#include "engine/cost/step_estimate.h"
#include "engine/schedule/generators.h"

#include <algorithm>
#include <map>

namespace triaxis
{
namespace
{

/// The rule of checkPlan and of stageShares: embedding and head may fill a virtual stage each.
bool layersFill(int layers, std::int64_t virtualStages)
{
    return virtualStages <= layers || (virtualStages >= 3 && virtualStages <= layers + 2);
}

/// A schedule with an order for enough microbatches, to ask where virtual stages lie.
const char* exampleOf(Placement placement, int virtualStages)
{
    switch (placement) {
    case Placement::Looped:
        return virtualStages == 1 ? "1f1b" : "interleaved";
    case Placement::Vee:
        return "zb-v";
    case Placement::Bidirectional:
        return "dualpipe";
    }
    return "1f1b";
}

/// Layers and ends of the model on each stage: what its parameters and its work follow from.
using Loads = std::vector<std::array<int, 4>>;

Loads loadsOf(const TrainingJob& job, const ParallelPlan& plan)
{
    const std::vector<StageShare> shares = stageShares(job, plan);
    Loads loads;
    for (const std::vector<int>& held : virtualStagesByStage(plan)) {
        std::array<int, 4> load{};
        for (const int virtualStage : held) {
            const StageShare& share = shares[virtualStage];
            load[0] += share.denseLayers;
            load[1] += share.expertLayers;
            load[2] += share.embedding ? 1 : 0;
            load[3] += share.head ? 1 : 0;
        }
        loads.push_back(load);
    }
    return loads;
}

void watchStages(LayerSpread& spread, const Loads& loads, int copies)
{
    const auto widest = std::max_element(
        loads.begin(), loads.end(), [](auto& a, auto& b) { return a[0] + a[1] < b[0] + b[1]; });
    spread.watched = {0, static_cast<int>(loads.size()) - 1,
                      static_cast<int>(widest - loads.begin())};
    for (std::size_t index = 0; index < watchedStages; ++index) {
        const std::array<int, 4>& load = loads[static_cast<std::size_t>(spread.watched[index])];
        spread.denseLayers[index] = static_cast<double>(load[0]) / copies;
        spread.expertLayers[index] = static_cast<double>(load[1]) / copies;
        spread.heads[index] = load[3];
    }
}

bool wanted(const std::vector<int>& allowed, int value)
{
    return allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end();
}

/// Schedules that run with V chunks a stage in this placement. On a single stage all take as long
/// and none keeps less than 1F1B, but for those that run a forward and a backward as one.
std::vector<std::uint8_t> schedulesOf(const std::vector<std::uint8_t>& schedules,
                                      Placement placement, int stages, int virtualStages)
{
    std::vector<std::uint8_t> found;
    if (stages == 1 && placement == Placement::Looped && virtualStages == 1) {
        for (std::size_t index = 0; index < triaxis::schedules().size(); ++index) {
            if (triaxis::schedules()[index].name == "1f1b") {
                found.push_back(static_cast<std::uint8_t>(index));
            }
        }
        return found;
    }
    for (const std::uint8_t schedule : schedules) {
        const ScheduleTraits traits = traitsOf(schedule);
        if (stages == 1 && !traits.overlaps) {
            continue;
        }
        if (traits.placement == placement && virtualStages >= traits.minimumVirtual &&
            virtualStages <= traits.maximumVirtual) {
            found.push_back(schedule);
        }
    }
    return found;
}

} // namespace

StageSpreads layerSpreads(const TrainingJob& job, const PlanLimits& limits,
                          const std::vector<std::uint8_t>& schedules, int stages)
{
    StageSpreads all;
    std::map<Loads, int> known;
    const int most = stages == 1 ? 2 : (job.model.layers + 2) / stages;
    for (int virtualStages = 1; virtualStages <= most; ++virtualStages) {
        if (!wanted(limits.virtualStages, virtualStages) ||
            !layersFill(job.model.layers, static_cast<std::int64_t>(stages) * virtualStages)) {
            continue;
        }
        for (const Placement placement :
             {Placement::Looped, Placement::Vee, Placement::Bidirectional}) {
            LayerSpread spread;
            spread.schedules = schedulesOf(schedules, placement, stages, virtualStages);
            const bool odd = placement == Placement::Bidirectional && stages % 2 != 0;
            if (spread.schedules.empty() || odd) {
                continue;
            }
            ParallelPlan plan;
            plan.pp = stages;
            plan.virtualStages = virtualStages;
            plan.schedule = exampleOf(placement, virtualStages);
            const Loads loads = loadsOf(job, plan);
            spread.virtualStages = virtualStages;
            spread.placement = placement;
            watchStages(spread, loads, replicasOf(plan));
            spread.sameLoad =
                known.try_emplace(loads, static_cast<int>(known.size())).first->second;
            all.spreads.push_back(std::move(spread));
        }
    }
    all.loads = static_cast<int>(known.size());
    return all;
}

LoadTerms loadTerms(const TrainingJob& job, ParallelPlan plan, const LayerSpread& spread)
{
    LoadTerms terms;
    plan.virtualStages = spread.virtualStages;
    plan.schedule = exampleOf(spread.placement, spread.virtualStages);
    plan.microbatch = 1;
    const UnitCosts nothingToHideBehind;
    // Neither states nor reductions depend on the batch; with 2P microbatches all live shares are
    // known in closed form.
    TrainingJob probe = job;
    probe.globalBatch = static_cast<std::int64_t>(plan.dp) * 2 * plan.pp;
    const double microbatches = static_cast<double>(plan.microbatches(probe.globalBatch));
    for (std::size_t zero = 0; zero < zeroStages; ++zero) {
        plan.zero = static_cast<ZeroStage>(zero);
        const StepTail tail = stepTail(probe, plan, nothingToHideBehind);
        terms.fixedTail[zero] = tail.optimizer + tail.overhead + tail.embedding;
        terms.reduction[zero] = tail.gradients;
        terms.gathers[zero] = tail.gathers / microbatches;
        const std::vector<MemoryParts> memory = memoryByStage(probe, plan);
        for (std::size_t index = 0; index < watchedStages; ++index) {
            const MemoryParts& parts = memory[static_cast<std::size_t>(spread.watched[index])];
            terms.states[zero][index] =
                parts.weights + parts.gradients + parts.optimizer + parts.gathers;
        }
    }
    return terms;
}

} // namespace triaxis
