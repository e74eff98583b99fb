#include "engine/cost/data_exchange.h"

#include "engine/cost/operations.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

/// Seconds of the exchanges of gradients (all-reduce, or reduce-scatter) and of updated weights
/// (all-gather after a sharded update).
struct DataExchange
{
    double gradients = 0;
    double weights = 0;
};

DataExchange dataExchange(const TrainingJob& job, double parameters, const GroupPlacement& group,
                          bool sharded)
{
    DataExchange exchange;
    if (group.ranks <= 1 || parameters <= 0) {
        return exchange;
    }
    const double gradients = parameters * job.trainedShare * job.software.gradientBytes;
    const double scale = 1 / exchangeRate(job, group);
    if (sharded) {
        exchange.gradients =
            scale * collectiveSeconds(job.cluster, Collective::ReduceScatter, gradients, group);
        exchange.weights = scale * collectiveSeconds(job.cluster, Collective::AllGather,
                                                     2 * parameters * job.trainedShare, group);
    } else {
        exchange.gradients =
            scale * collectiveSeconds(job.cluster, Collective::AllReduce, gradients, group);
    }
    return exchange;
}

GroupPlacement dataGroup(const TrainingJob& job, const ParallelPlan& plan)
{
    return {plan.dp * plan.cp * replicasOf(plan), plan.tp,
            std::min(plan.tp, job.cluster.nodeSize())};
}

GroupPlacement expertDataGroup(const TrainingJob& job, const ParallelPlan& plan)
{
    const int stride = plan.ep * plan.expertTp;
    return {static_cast<int>(expertShardRanks(plan)), stride,
            std::min(stride, job.cluster.nodeSize())};
}

/// A shard's exchange with those that hold the same shard elsewhere.
double shardSeconds(const TrainingJob& job, double parameters, GroupPlacement others)
{
    others.concurrent = job.cluster.nodeSize();
    const double bytes = parameters * job.trainedShare * job.software.gradientBytes;
    return collectiveSeconds(job.cluster, Collective::AllReduce, bytes, others) /
           job.software.linkEfficiency;
}

/// Hybrid sharding sums the shards over the groups that each hold all of them.
double hybridSeconds(const TrainingJob& job, const ParallelPlan& plan, const StageParameters& stage)
{
    const int all = plan.dp * plan.cp;
    if (plan.shardGroup <= 0 || plan.shardGroup >= all) {
        return 0;
    }
    GroupPlacement groups = dataGroup(job, plan);
    groups.ranks = all / plan.shardGroup;
    groups.stride *= plan.shardGroup;
    return shardSeconds(job, stage.all() / plan.shardGroup, groups);
}

/// Sharded gradients of the two copies of a bidirectional pipeline: each rank and the one that
/// holds the same chunks the other way round. The farthest pair, first and last stage, sets the
/// pace.
double copySeconds(const TrainingJob& job, const ParallelPlan& plan, const StageParameters& stage)
{
    const int copies = replicasOf(plan);
    if (copies == 1) {
        return 0;
    }
    const int across = plan.tp * plan.cp * plan.dp * (plan.pp - 1);
    return shardSeconds(job,
                        stage.shared / shardRanks(plan) + stage.experts / expertShardRanks(plan),
                        {copies, across, 1});
}

} // namespace

double exchangeRate(const TrainingJob& job, const GroupPlacement& group)
{
    const double nodeSize = job.cluster.nodeSize();
    const double stride = std::max(1, group.stride);
    const bool divided = stride < nodeSize && group.ranks * stride > nodeSize;
    return job.software.linkEfficiency * (divided ? job.software.dividedNodeRate : 1);
}

bool scattersEachMicrobatch(const ParallelPlan& plan)
{
    return plan.zero == ZeroStage::Parameters ||
           (plan.zero == ZeroStage::Gradients && plan.pp == 1);
}

double exposedEachMicrobatch(const TrainingJob& job, const ParallelPlan& plan,
                             const UnitCosts& unit)
{
    if (!scattersEachMicrobatch(plan)) {
        return 0;
    }
    const bool expertLayer = job.model.expert.experts > 0;
    const double parameters = rankLayerParameters(job.model, plan, expertLayer);
    GroupPlacement group = dataGroup(job, plan);
    group.ranks = static_cast<int>(shardRanks(plan));
    const auto seconds = [&](Collective kind, double bytes) {
        const double rate = job.software.linkEfficiency *
                            (plan.zero == ZeroStage::Parameters ? job.software.gatherRate : 1);
        return collectiveSeconds(job.cluster, kind, bytes, group) / rate;
    };
    const double scatter = seconds(Collective::ReduceScatter,
                                   job.software.gradientBytes * parameters * job.trainedShare);
    const PassSeconds& layer = expertLayer ? unit.expertLayer : unit.denseLayer;
    const double overlap = job.software.dataOverlap;
    const auto exposed = [&](double exchange, double compute) {
        return std::max(exchange - overlap * compute, (1 - overlap) * exchange);
    };
    double once = 0;
    if (plan.zero == ZeroStage::Parameters) {
        const double gather = seconds(Collective::AllGather, 2 * parameters);
        once = exposed(gather, layer.forward) + exposed(gather + scatter, layer.backward());
    } else {
        once = exposed(scatter, layer.backward());
    }
    const double layers = std::ceil(static_cast<double>(job.model.layers) / plan.pp);
    return once * layers * static_cast<double>(plan.microbatches(job.globalBatch));
}

double exposedReduction(const TrainingJob& job, const ParallelPlan& plan,
                        const StageParameters& parameters, const PassSeconds& pass)
{
    const double overlap = job.software.dataOverlap;
    const auto hidden = [&](double exchange, double compute) {
        return exchange - std::min(overlap * exchange, compute);
    };
    if (plan.zero == ZeroStage::Parameters) {
        const double sums =
            hybridSeconds(job, plan, parameters) + copySeconds(job, plan, parameters);
        return hidden(sums, pass.backward());
    }
    const bool sharded = plan.zero != ZeroStage::None;
    GroupPlacement group = dataGroup(job, plan);
    if (sharded) {
        group.ranks = static_cast<int>(shardRanks(plan)) * replicasOf(plan);
    }
    const DataExchange shared = dataExchange(job, parameters.shared, group, sharded);
    const DataExchange experts =
        dataExchange(job, parameters.experts, expertDataGroup(job, plan), sharded);
    const double across = sharded ? hybridSeconds(job, plan, parameters) : 0;
    const double gradients =
        across + (scattersEachMicrobatch(plan) ? 0 : shared.gradients + experts.gradients);
    const double owners = sharded && group.ranks > 1 ? group.ranks * job.software.ownerSeconds : 0;
    return hidden(gradients, pass.backward()) +
           hidden(shared.weights + experts.weights, pass.forward) + owners;
}

} // namespace triaxis
