#include "engine/simulate/exposed.h"

#include "engine/cost/stage_shares.h"
#include "engine/timeline/metrics.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Exposed seconds of one microbatch in all layers of a kind and in embedding and head.
double exposedOf(const UnitCosts& unit, const StageShare& share)
{
    return share.denseLayers * unit.denseLayer.exposed +
           share.expertLayers * unit.expertLayer.exposed +
           (share.embedding ? unit.embedding.exposed : 0) + (share.head ? unit.head.exposed : 0);
}

} // namespace

InnerShares innerShares(const TrainingJob& job, const ParallelPlan& plan)
{
    TrainingJob tensorHidden = job;
    tensorHidden.software.tensorOverlap = 1;
    TrainingJob expertHidden = job;
    expertHidden.software.expertOverlap = 1;
    double whole = 0;
    double withoutTensor = 0;
    double withoutExpert = 0;
    const UnitCosts unit = unitCosts(job, plan);
    const UnitCosts noTensor = unitCosts(tensorHidden, plan);
    const UnitCosts noExpert = unitCosts(expertHidden, plan);
    for (const StageShare& share : stageShares(job, plan)) {
        whole += exposedOf(unit, share);
        withoutTensor +=
            exposedOf(noTensor, share) - (share.embedding ? unit.embedding.exposed : 0);
        withoutExpert += exposedOf(noExpert, share);
    }
    InnerShares shares;
    if (whole <= 0)
        return shares;
    shares.tensor = std::clamp((whole - withoutTensor) / whole, 0.0, 1.0);
    shares.expert = std::clamp((whole - withoutExpert) / whole, 0.0, 1.0 - shares.tensor);
    shares.context = std::max(0.0, 1 - shares.tensor - shares.expert);
    // What rounding leaves of an axis that the plan does not have.
    if (plan.cp == 1)
        shares.context = 0;
    return shares;
}

std::vector<ExposedTime> exposedByStage(const TrainingJob& job, const ParallelPlan& plan,
                                        const Prediction& prediction)
{
    Layout layout;
    const std::vector<Span> spans = asOnePipeline(prediction, layout);
    const StepShares shares = stepShares(spans, layout);
    const InnerShares inner = innerShares(job, plan);
    std::vector<ExposedTime> stages(shares.perRank.size());
    std::vector<double> lastCompute(stages.size(), 0);
    for (const Span& span : spans)
        if (span.lane == Lane::Compute && span.id.kind() != Kind::OptimizerStep)
            lastCompute[std::size_t(span.rank.value)] =
                std::max(lastCompute[std::size_t(span.rank.value)], span.end);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        const LaneShare& share = shares.perRank[stage];
        stages[stage].tensor = inner.tensor * share.tensorTransfer;
        stages[stage].context = inner.context * share.tensorTransfer;
        stages[stage].expert = inner.expert * share.tensorTransfer;
        stages[stage].pipeline = share.exposedTransfer;
    }
    for (const Span& span : spans) {
        const auto stage = std::size_t(span.rank.value);
        if (span.id.kind() == Kind::GradientReduce || span.id.kind() == Kind::TiedReduce)
            stages[stage].data +=
                std::max(0.0, span.end - std::max(span.begin, lastCompute[stage]));
    }
    return stages;
}

} // namespace triaxis
