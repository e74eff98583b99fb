#include "engine/cost/collectives.h"
#include "engine/cost/data_exchange.h"
#include "engine/cost/operations.h"
#include "engine/cost/stage_shares.h"
#include "engine/plan/drawn_prediction.h"

#include <algorithm>

namespace triaxis
{
namespace
{

double activationBytes(const TrainingJob& job, const ParallelPlan& plan)
{
    const bool wide = job.precision == NumberFormat::Fp32 || job.precision == NumberFormat::Tf32;
    return (wide ? 4.0 : 2.0) * layerSizes(job, plan).tokens;
}

/// One layer, one microbatch. Tensor groups sum up after attention and MLP, forward and backward
/// (Shoeybi et al. 2019), once more each where the forward is recomputed; ring attention passes
/// keys and values on in forward, and them and their gradients in backward; tokens go to their
/// experts and back, forward and backward.
AxisTraffic layerTraffic(const TrainingJob& job, const ParallelPlan& plan, bool expertLayer)
{
    AxisTraffic traffic;
    const double element = activationBytes(job, plan);
    const double hidden = element * job.model.hidden;
    const double again = plan.recompute == Recompute::Full ? 2 : 0;
    traffic.tensor = (4 + again) * hidden * busFactor(Collective::AllReduce, plan.tp);
    if (plan.cp > 1)
        traffic.context =
            (3 + again / 2) * element * layerSizes(job, plan).keyValueColumns * (plan.cp - 1);
    if (expertLayer && plan.ep > 1) {
        const double split = plan.sequenceParallel ? plan.tp : 1;
        traffic.expert = (4 + again) * hidden * job.model.expert.activeExperts / split *
                         busFactor(Collective::AllToAll, plan.ep);
    }
    return traffic;
}

/// Gradients of a step, and weights where they are sharded.
double dataBytes(const TrainingJob& job, const ParallelPlan& plan, const StageParameters& stage)
{
    constexpr double weightBytes = 2;
    const int ranks = plan.dp * plan.cp * replicasOf(plan);
    if (ranks <= 1)
        return 0;
    const double share = busFactor(Collective::AllGather, ranks);
    const double gradients = stage.shared * job.trainedShare * job.software.gradientBytes;
    switch (plan.zero) {
    case ZeroStage::None:
        return busFactor(Collective::AllReduce, ranks) * gradients;
    case ZeroStage::Optimizer:
    case ZeroStage::Gradients: {
        const double times =
            scattersEachMicrobatch(plan) ? double(plan.microbatches(job.globalBatch)) : 1;
        return share * (times * gradients + weightBytes * stage.shared * job.trainedShare);
    }
    case ZeroStage::Parameters:
        break;
    }
    // Every microbatch gathers the weights twice and scatters their gradients.
    const auto microbatches = double(plan.microbatches(job.globalBatch));
    return share * microbatches * (gradients + 2 * weightBytes * stage.shared);
}

void addTimes(AxisTraffic& sum, const AxisTraffic& part, double times)
{
    sum.tensor += times * part.tensor;
    sum.context += times * part.context;
    sum.expert += times * part.expert;
}

} // namespace

std::vector<AxisTraffic> trafficByStage(const TrainingJob& job, const ParallelPlan& plan)
{
    const auto microbatches = double(plan.microbatches(job.globalBatch)) / replicasOf(plan);
    const std::vector<StageShare> shares = stageShares(job, plan);
    const std::vector<StageParameters> parameters = stageParameters(job, plan);
    const std::vector<std::vector<int>> held = virtualStagesByStage(plan);
    const AxisTraffic dense = layerTraffic(job, plan, false);
    const AxisTraffic expert = layerTraffic(job, plan, true);
    const double hidden = activationBytes(job, plan) * job.model.hidden;
    AxisTraffic vocabulary;
    vocabulary.tensor = hidden * busFactor(Collective::AllReduce, plan.tp);
    const double hop = unitCosts(job, plan).hopBytes;
    const int last = int(shares.size()) - 1;

    std::vector<AxisTraffic> stages(std::size_t(plan.pp));
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        AxisTraffic& traffic = stages[stage];
        for (const int position : held[stage]) {
            const StageShare& share = shares[std::size_t(position)];
            addTimes(traffic, dense, microbatches * share.denseLayers);
            addTimes(traffic, expert, microbatches * share.expertLayers);
            addTimes(traffic, vocabulary,
                     microbatches * ((share.embedding ? 1 : 0) + (share.head ? 1 : 0)));
            if (plan.pp > 1)
                traffic.pipeline +=
                    microbatches * hop * ((position < last ? 1 : 0) + (position > 0 ? 1 : 0));
        }
        traffic.data = dataBytes(job, plan, parameters[stage]);
    }
    return stages;
}

} // namespace triaxis
