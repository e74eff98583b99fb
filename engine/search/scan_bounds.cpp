#include "engine/search/scan_bounds.h"

#include "engine/cost/memory.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{

UnitBound unitBound(const TrainingJob& job, const ParallelPlan& plan)
{
    UnitBound unit;
    unit.costs = unitCosts(job, plan);
    if (job.model.expert.experts > 0) {
        unit.expertKept = layerActivationBytes(job, plan, true);
    }
    unit.denseKept = layerActivationBytes(job, plan, false);
    ParallelPlan alone = plan; // on a single stage, where neither depends on other stages
    alone.dp = 1;
    alone.pp = 1;
    alone.schedule = "1f1b";
    TrainingJob one = job;
    one.globalBatch = plan.microbatch;
    const MemoryParts parts = memoryByStage(one, alone).front();
    unit.workspace = parts.workspace;
    unit.logits = parts.logits;
    unit.layerSeconds = std::max(unit.costs.denseLayer.all(), unit.costs.expertLayer.all());
    return unit;
}

double tailBound(const TrainingJob& job, const LoadTerms& load, std::size_t zero,
                 const PipelineTerms& terms, const UnitBound& unit, double microbatches)
{
    const double overlap = job.software.dataOverlap;
    const BoundStage& busiest = terms.stages[0];
    const double passes = busiest.forward + busiest.input + busiest.weight + busiest.twin;
    const double reduction = load.reduction[zero];
    const double reduced = reduction - std::min(overlap * reduction, passes);
    const double gather = load.gathers[zero];
    const double layers = std::ceil(static_cast<double>(job.model.layers) / terms.pipelineSize);
    const double gathered = gather - std::min(overlap * gather, layers * unit.layerSeconds);
    return load.fixedTail[zero] + reduced + microbatches * gathered;
}

double memoryBound(const TrainingJob& job, const std::array<double, watchedStages>& states,
                   const std::array<double, watchedStages>& kept,
                   const std::array<double, watchedStages>& live, const LayerSpread& spread,
                   const UnitBound& unit)
{
    double most = 0;
    for (std::size_t index = 0; index < watchedStages; ++index) {
        most = std::max(most, states[index] + kept[index] * live[index] +
                                  spread.heads[index] * unit.logits);
    }
    const SoftwareProfile& software = job.software;
    return ((most + unit.workspace) * software.allocatorFactor + software.fixedBytes) * boundSlack;
}

} // namespace triaxis
