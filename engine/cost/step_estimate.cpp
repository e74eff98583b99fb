#include "engine/cost/step_estimate.h"

#include "engine/core/error.h"
#include "engine/cost/collectives.h"
#include "engine/cost/operations.h"
#include "engine/cost/stage_shares.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/generators.h"
#include "engine/search/auto_schedule.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

void refuseBrokenPlan(const TrainingJob& job, const ParallelPlan& plan)
{
    for (const Diagnostic& finding : checkPlan(job, plan)) {
        if (finding.severity == Severity::Error) {
            throw Error("cannot price the layout", finding.what, finding.mend);
        }
    }
}

/// Passes of a virtual stage.
PassSeconds stagePass(const UnitCosts& unit, const StageShare& share, const ParallelPlan& plan)
{
    const double spread = plan.vocabularyBarriers > 0 ? 1.0 / (plan.pp * plan.virtualStages) : 0;
    PassSeconds sum;
    const auto add = [&](const PassSeconds& part, double times, double recomputed) {
        sum.forward += times * part.forward;
        sum.input += times * part.input;
        sum.weight += times * part.weight;
        sum.recompute += times * part.recompute * recomputed;
        sum.exposed += times * part.exposed;
        sum.floor += times * part.floor;
    };
    double recomputed = 1;
    if (plan.recompute == Recompute::Full && plan.recomputedLayers >= 0 && share.layers() > 0) {
        recomputed = std::min(1.0, static_cast<double>(plan.recomputedLayers) / share.layers());
    }
    add(unit.denseLayer, share.denseLayers, recomputed);
    add(unit.expertLayer, share.expertLayers, recomputed);
    if (spread > 0 || share.embedding) {
        add(unit.embedding, spread > 0 ? spread : 1, 0);
    }
    if (spread > 0 || share.head) {
        add(unit.head, spread > 0 ? spread : 1, 0);
    }
    return sum;
}

double hopSeconds(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit)
{
    if (plan.pp == 1) {
        return 0;
    }
    const int stride = plan.tp * plan.cp * plan.dp;
    const GroupPlacement pair{2, stride, std::min(stride, job.cluster.nodeSize())};
    double seconds = collectiveSeconds(job.cluster, Collective::PointToPoint, unit.hopBytes, pair);
    if (job.software.scattersTransfers && !plan.sequenceParallel && plan.tp > 1) {
        const GroupPlacement group{plan.tp, 1, std::max(1, job.cluster.nodeSize() / plan.tp)};
        seconds +=
            collectiveSeconds(job.cluster, Collective::AllGather, unit.hopBytes * plan.tp, group);
    }
    return seconds / job.software.linkEfficiency;
}

ComputeProgram programOf(const ParallelPlan& plan, std::int64_t microbatches,
                         const StageCosts& costs)
{
    if (plan.schedule == "auto") {
        AutoRequest request;
        request.stages = plan.pp;
        request.microbatches = static_cast<int>(microbatches);
        request.mostChunks = plan.virtualStages;
        request.memory = plan.scheduleMemory;
        request.costs = [&](const ComputeProgram& placement) {
            if (virtualStages(placement) != static_cast<int>(costs.forward.size())) {
                throw Error("cannot price the placement", "another number of chunks", {});
            }
            return costs;
        };
        return searchSchedule(request).program;
    }
    ScheduleRequest request;
    request.name =
        plan.schedule == "interleaved" && plan.virtualStages == 1 ? "1f1b" : plan.schedule;
    request.stages = plan.pp;
    request.microbatches = static_cast<int>(microbatches);
    request.virtualStages = plan.virtualStages;
    return generate(request);
}

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
    const double scale = 1 / job.software.linkEfficiency;
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

/// ZeRO-3 gathers each layer's weights before its forward and its backward, and scatters its
/// gradients after it, in every microbatch; all of it may hide behind the compute of the layer next
/// to it.
double gatherSeconds(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit)
{
    if (plan.zero != ZeroStage::Parameters) {
        return 0;
    }
    const bool expertLayer = job.model.expert.experts > 0;
    const double parameters = rankLayerParameters(job.model, plan, expertLayer);
    GroupPlacement group = dataGroup(job, plan);
    group.ranks = static_cast<int>(shardRanks(plan));
    const double gather =
        collectiveSeconds(job.cluster, Collective::AllGather, 2 * parameters, group) /
        job.software.linkEfficiency;
    const double scatter =
        collectiveSeconds(job.cluster, Collective::ReduceScatter,
                          job.software.gradientBytes * parameters * job.trainedShare, group) /
        job.software.linkEfficiency;
    const PassSeconds& layer = expertLayer ? unit.expertLayer : unit.denseLayer;
    const double overlap = job.software.dataOverlap;
    const auto exposed = [&](double exchange, double compute) {
        return std::max(exchange - overlap * compute, (1 - overlap) * exchange);
    };
    const double once =
        exposed(gather, layer.forward) + exposed(gather + scatter, layer.backward());
    const double layers = std::ceil(static_cast<double>(job.model.layers) / plan.pp);
    return once * layers * static_cast<double>(plan.microbatches(job.globalBatch));
}

/// Passes of one microbatch through all chunks of each stage [P].
std::vector<PassSeconds> stagePasses(const TrainingJob& job, const ParallelPlan& plan,
                                     const UnitCosts& unit)
{
    const std::vector<StageShare> shares = stageShares(job, plan);
    const std::vector<std::vector<int>> held = virtualStagesByStage(plan);
    // Copies of the weights share the microbatches.
    const double times = 1.0 / replicasOf(plan);
    std::vector<PassSeconds> stages(plan.pp);
    for (int index = 0; index < plan.pp; ++index) {
        PassSeconds& stage = stages[index];
        for (const int virtualStage : held[index]) {
            const PassSeconds pass = stagePass(unit, shares[virtualStage], plan);
            stage.forward += times * pass.forward;
            stage.input += times * pass.input;
            stage.weight += times * pass.weight;
            stage.recompute += times * pass.recompute;
            stage.exposed += times * pass.exposed;
            stage.floor += times * pass.floor;
        }
    }
    return stages;
}

/// Hybrid sharding sums the shards over the copies.
double copySeconds(const TrainingJob& job, const ParallelPlan& plan, const StageParameters& stage)
{
    const int all = plan.dp * plan.cp;
    if (plan.shardGroup <= 0 || plan.shardGroup >= all) {
        return 0;
    }
    GroupPlacement copies = dataGroup(job, plan);
    copies.ranks = all / plan.shardGroup;
    copies.stride *= plan.shardGroup;
    copies.concurrent = job.cluster.nodeSize();
    const double bytes = stage.all() / plan.shardGroup * job.software.gradientBytes;
    return collectiveSeconds(job.cluster, Collective::AllReduce, bytes, copies) /
           job.software.linkEfficiency;
}

/// The part of a stage's data-parallel exchange that is left when the last microbatch's backward
/// hides gradients and the first one's forward hides weights.
double exposedReduction(const TrainingJob& job, const ParallelPlan& plan,
                        const StageParameters& parameters, const PassSeconds& pass)
{
    const double overlap = job.software.dataOverlap;
    if (plan.zero == ZeroStage::Parameters) {
        const double copies = copySeconds(job, plan, parameters);
        return copies - std::min(overlap * copies, pass.backward());
    }
    const bool sharded = plan.zero != ZeroStage::None;
    const DataExchange shared = dataExchange(job, parameters.shared, dataGroup(job, plan), sharded);
    const DataExchange experts =
        dataExchange(job, parameters.experts, expertDataGroup(job, plan), sharded);
    const double gradients = shared.gradients + experts.gradients;
    const double weights = shared.weights + experts.weights;
    return gradients - std::min(overlap * gradients, pass.backward()) + weights -
           std::min(overlap * weights, pass.forward);
}

} // namespace

StageCosts stageCosts(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit)
{
    StageCosts costs;
    const double hop = hopSeconds(job, plan, unit);
    const double blocked = (1 - job.software.pipelineOverlap) * hop;
    const std::vector<StageShare> shares = stageShares(job, plan);
    for (std::vector<double>* seconds : {&costs.forward, &costs.input, &costs.weight}) {
        seconds->reserve(shares.size());
    }
    StageShare priced;
    PassSeconds pass;
    for (const StageShare& share : shares) {
        if (costs.forward.empty() || share != priced) {
            pass = stagePass(unit, share, plan);
            priced = share;
        }
        costs.forward.push_back(pass.forward + blocked);
        costs.input.push_back(pass.recompute + pass.input + blocked);
        costs.weight.push_back(pass.weight);
    }
    costs.transfer = hop - blocked;
    return costs;
}

StepTail stepTail(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit)
{
    StepTail tail;
    const SoftwareProfile& software = job.software;
    const std::vector<StageParameters> parameters = stageParameters(job, plan);
    const std::vector<PassSeconds> passes = stagePasses(job, plan, unit);
    const bool sharded = plan.zero != ZeroStage::None;
    for (int index = 0; index < plan.pp; ++index) {
        const StageParameters& stage = parameters[index];
        if (index > 0 && stage == parameters[index - 1] && passes[index] == passes[index - 1]) {
            continue; // as the stage before
        }
        tail.gradients =
            std::max(tail.gradients, exposedReduction(job, plan, stage, passes[index]));
        const double own =
            sharded ? stage.shared / shardRanks(plan) + stage.experts / expertShardRanks(plan)
                    : stage.all();
        tail.optimizer =
            std::max(tail.optimizer, own * job.trainedShare * software.optimizerTraffic /
                                         job.cluster.device.memoryBandwidth);
    }
    tail.gathers = gatherSeconds(job, plan, unit);
    tail.overhead = software.stepOverhead;
    if (job.model.tiedHead && plan.pp > 1 && plan.vocabularyBarriers == 0 &&
        virtualStagesByStage(plan).front().back() != plan.pp * plan.virtualStages - 1) {
        const int stride = plan.tp * plan.cp * plan.dp;
        const GroupPlacement ends{2, stride * (plan.pp - 1),
                                  std::min(stride, job.cluster.nodeSize())};
        tail.embedding =
            collectiveSeconds(job.cluster, Collective::AllReduce,
                              headParameters(job.model) / plan.tp * software.gradientBytes, ends) /
            software.linkEfficiency;
    }
    return tail;
}

namespace
{

void addRates(StepEstimate& estimate, const TrainingJob& job, const ParallelPlan& plan)
{
    estimate.seconds = estimate.pipeline + estimate.tail.total();
    estimate.memory = peakMemory(job, plan);
    estimate.expectedError = job.software.expectedError;
    estimate.tokensPerSecond =
        static_cast<double>(job.globalBatch) * job.sequence / estimate.seconds;
    estimate.modelFlopsPerDevice =
        stepFlops(job, plan, FlopConvention::Model) / estimate.seconds / job.devices;
    estimate.hardwareFlopsPerDevice =
        stepFlops(job, plan, FlopConvention::Hardware) / estimate.seconds / job.devices;
}

/// Compute and exposed exchanges of the busiest stage over a whole step.
void addParts(StepEstimate& estimate, const TrainingJob& job, const ParallelPlan& plan,
              const UnitCosts& unit)
{
    const std::vector<PassSeconds> stages = stagePasses(job, plan, unit);
    const auto busiest = std::max_element(
        stages.begin(), stages.end(),
        [](const PassSeconds& a, const PassSeconds& b) { return a.all() < b.all(); });
    const auto microbatches = static_cast<double>(plan.microbatches(job.globalBatch));
    estimate.exposed = microbatches * busiest->exposed;
    estimate.compute = microbatches * busiest->all() - estimate.exposed;
    estimate.bubble = std::max(0.0, estimate.pipeline - estimate.compute - estimate.exposed);
}

} // namespace

StepEstimate estimateStep(const TrainingJob& job, const ParallelPlan& plan)
{
    refuseBrokenPlan(job, plan);
    const UnitCosts unit = unitCosts(job, plan);
    const StageCosts costs = stageCosts(job, plan, unit);
    const Played played = play(programOf(plan, plan.microbatches(job.globalBatch), costs), costs);
    return estimateStep(job, plan, unit, stepTail(job, plan, unit), played);
}

StepEstimate estimateStep(const TrainingJob& job, const ParallelPlan& plan, const UnitCosts& unit,
                          const StepTail& tail, const Played& played)
{
    StepEstimate estimate;
    estimate.pipeline = played.makespan;
    if (!job.software.stepBarrier) {
        // Steps follow each other without a common end: the stage with the longest window sets the
        // pace.
        double longest = 0;
        for (std::size_t stage = 0; stage < played.stages.size(); ++stage) {
            longest =
                std::max(longest, played.makespan - played.idle[stage] + played.idleOwn[stage]);
        }
        estimate.pipeline = longest;
    }
    estimate.tail = tail;
    addParts(estimate, job, plan, unit);
    addRates(estimate, job, plan);
    return estimate;
}

} // namespace triaxis
