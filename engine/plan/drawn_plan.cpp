#include "engine/plan/drawn_plan.h"

#include "engine/simulate/job_program.h"

#include <algorithm>
#include <numeric>

namespace triaxis
{
namespace
{

/// Nodes for at least so many devices.
int nodesFor(std::int64_t devices, int nodeSize)
{
    const std::int64_t nodes = (devices + nodeSize - 1) / nodeSize;
    return int(std::clamp<std::int64_t>(nodes, 1, mostDevices / nodeSize));
}

/// The floor of this machine has a place for each rank, in as many nodes as before where they
/// divide.
void fitMachine(DrawnCluster& cluster, int ranks)
{
    if (ranks % std::max(1, cluster.nodes) != 0)
        cluster.nodes = 1;
    cluster.nodeSize = std::max(1, ranks / cluster.nodes);
}

} // namespace

DrawnPlan drawnPlan(const RunPlan& run)
{
    DrawnPlan plan;
    plan.run = run;
    plan.shape = shapeOf(run.model);
    plan.cluster.network = clusterPreset("dgx-h100");
    plan.cluster.thisMachine = true;
    fitMachine(plan.cluster, std::clamp(run.layout.ranks(), 1, mostDevices));
    return plan;
}

Layout drawnLayout(const DrawnPlan& plan)
{
    Layout layout = plan.run.layout;
    if (!plan.cluster.thisMachine)
        layout.dp *= plan.cp;
    return layout;
}

int deviceOf(const DrawnPlan& plan, Rank rank)
{
    const auto index = std::size_t(rank.value);
    return index < plan.deviceOfRank.size() ? plan.deviceOfRank[index] : rank.value;
}

TrainingJob trainingJob(const DrawnPlan& plan)
{
    TrainingJob job;
    job.model = plan.shape;
    job.cluster = networkWithNodes(plan.cluster.network, plan.cluster.nodeSize);
    job.software = softwareProfile(plan.software);
    job.precision = plan.cluster.thisMachine ? NumberFormat::Fp32 : plan.precision;
    job.devices = parallelPlan(plan).devices();
    job.sequence = plan.run.training.batch.sequence;
    job.globalBatch = plan.run.training.batch.globalBatch;
    return job;
}

ParallelPlan parallelPlan(const DrawnPlan& plan)
{
    const Layout& layout = plan.run.layout;
    ParallelPlan parallel;
    parallel.dp = layout.dp;
    parallel.tp = layout.tp;
    parallel.pp = layout.pp;
    parallel.virtualStages = layout.virtualStages;
    parallel.layersPerStage = layout.layersPerStage;
    parallel.microbatch = plan.run.training.batch.microbatch;
    parallel.schedule = plan.run.training.schedule;
    parallel.scheduleMemory = plan.scheduleMemory;
    if (plan.cluster.thisMachine)
        return parallel;
    parallel.cp = plan.cp;
    parallel.ep = plan.ep;
    parallel.expertTp = plan.expertTp;
    parallel.zero = plan.zero;
    parallel.recompute = plan.recompute;
    parallel.recomputedLayers = plan.recomputedLayers;
    parallel.sequenceParallel = plan.sequenceParallel;
    parallel.shardGroup = plan.shardGroup;
    parallel.offloadActivations = plan.offloadActivations;
    parallel.vocabularyBarriers = plan.vocabularyBarriers;
    return parallel;
}

DrawnPlan withParallelPlan(DrawnPlan plan, const ParallelPlan& parallel)
{
    plan.cp = parallel.cp;
    plan = withAxisSizes(std::move(plan), parallel.dp, parallel.tp, parallel.pp);
    Layout& layout = plan.run.layout;
    layout.virtualStages = parallel.virtualStages;
    layout.layersPerStage = parallel.layersPerStage;
    plan.run.training.batch.microbatch = parallel.microbatch;
    if (plan.run.training.schedule != parallel.schedule)
        plan.run.training.scheduleCsv.clear();
    plan.run.training.schedule = parallel.schedule;
    plan.ep = parallel.ep;
    plan.expertTp = parallel.expertTp;
    plan.zero = parallel.zero;
    plan.recompute = parallel.recompute;
    plan.recomputedLayers = parallel.recomputedLayers;
    plan.sequenceParallel = parallel.sequenceParallel;
    plan.shardGroup = parallel.shardGroup;
    plan.offloadActivations = parallel.offloadActivations;
    plan.vocabularyBarriers = parallel.vocabularyBarriers;
    plan.scheduleMemory = parallel.scheduleMemory;
    return plan;
}

DrawnPlan withModel(DrawnPlan plan, const ModelSpec& model)
{
    if (plan.shape.layers != model.layers)
        plan.run.layout.layersPerStage.clear();
    plan.run.model = model;
    plan.run.weights.clear();
    plan.shape = shapeOf(model);
    plan.shape.name = model.name;
    plan.trainable = true;
    plan.ep = plan.expertTp = 1;
    return plan;
}

DrawnPlan withShape(DrawnPlan plan, const ModelShape& shape)
{
    if (plan.shape.layers != shape.layers)
        plan.run.layout.layersPerStage.clear();
    plan.run.model = activeModelOf(shape, 1);
    plan.run.weights.clear();
    plan.shape = shape;
    plan.trainable = false;
    if (shape.expert.experts == 0)
        plan.ep = plan.expertTp = 1;
    return plan;
}

DrawnPlan withRun(DrawnPlan plan, const RunPlan& run)
{
    const bool otherModel = !(run.model == plan.run.model);
    const Layout before = plan.run.layout;
    plan.run = run;
    if (otherModel) {
        plan.shape = shapeOf(run.model);
        plan.trainable = true;
    }
    const Layout& now = run.layout;
    if (before.order != now.order)
        plan.deviceOfRank.clear();
    if (before.dp == now.dp && before.tp == now.tp && before.pp == now.pp)
        return plan;
    plan.run.layout.dp = before.dp;
    plan.run.layout.tp = before.tp;
    plan.run.layout.pp = before.pp;
    plan = withAxisSizes(std::move(plan), now.dp, now.tp, now.pp);
    plan.run.layout.layersPerStage = now.layersPerStage;
    return plan;
}

DrawnPlan withNetwork(DrawnPlan plan, const ClusterSpec& network)
{
    const std::int64_t ranks = drawnLayout(plan).ranks();
    plan.cluster.network = network;
    plan.cluster.thisMachine = false;
    plan.cluster.nodeSize = usualNodeSize(network);
    plan.cluster.nodes = nodesFor(ranks, plan.cluster.nodeSize);
    plan.cluster.mixed.clear();
    plan.deviceOfRank.clear();
    return plan;
}

DrawnPlan withAxisSizes(DrawnPlan plan, int dp, int tp, int pp)
{
    Layout& layout = plan.run.layout;
    if (layout.pp != pp)
        layout.layersPerStage.clear();
    if (layout.dp != dp || layout.tp != tp || layout.pp != pp)
        plan.deviceOfRank.clear();
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    const double ranks = double(dp) * tp * pp * (plan.cluster.thisMachine ? 1 : plan.cp);
    if (ranks < 1 || ranks > mostDevices)
        return plan;
    if (plan.cluster.thisMachine)
        fitMachine(plan.cluster, int(ranks));
    else
        plan.cluster.nodes =
            std::max(plan.cluster.nodes, nodesFor(std::int64_t(ranks), plan.cluster.nodeSize));
    return plan;
}

DrawnPlan withRanksSwapped(DrawnPlan plan, Rank a, Rank b)
{
    const int ranks = drawnLayout(plan).ranks();
    if (a.value < 0 || b.value < 0 || a.value >= ranks || b.value >= ranks || ranks > mostDevices)
        return plan;
    if (plan.deviceOfRank.size() != std::size_t(ranks)) {
        plan.deviceOfRank.resize(std::size_t(ranks));
        std::iota(plan.deviceOfRank.begin(), plan.deviceOfRank.end(), 0);
    }
    std::swap(plan.deviceOfRank[std::size_t(a.value)], plan.deviceOfRank[std::size_t(b.value)]);
    for (int rank = 0; rank < ranks; ++rank)
        if (plan.deviceOfRank[std::size_t(rank)] != rank)
            return plan;
    plan.deviceOfRank.clear();
    return plan;
}

std::string whyNotRunnable(const DrawnPlan& plan)
{
    if (!plan.cluster.thisMachine)
        return "it is drawn on " + plan.cluster.network.title +
               "; choose \"This machine\" as its cluster to run it";
    if (!plan.trainable)
        return "models like " + plan.shape.name + " are predicted here, not trained";
    return {};
}

} // namespace triaxis
