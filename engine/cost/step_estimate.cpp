#include "engine/cost/step_estimate.h"

#include "engine/core/error.h"
#include "engine/cost/collectives.h"
#include "engine/cost/data_exchange.h"
#include "engine/cost/operations.h"
#include "engine/cost/plan_program.h"
#include "engine/cost/stage_shares.h"

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
        sum.dispatch += times * part.dispatch;
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

/// What a forward and a backward that run as one save, over the shorter of them: the experts'
/// exchanges of each hide behind the compute of the other, at the cost of the units that move them.
double overlapGain(const TrainingJob& job, const ParallelPlan& plan, const PassSeconds& pass)
{
    const double forward = pass.forward;
    const double backward = pass.recompute + pass.input + pass.weight;
    const double exchanges = pass.dispatch * (plan.recompute == Recompute::Full ? 3 : 2);
    if (exchanges <= 0 || forward <= 0) {
        return 0;
    }
    const double hidden = std::min(exchanges, std::max(0.0, forward + backward - exchanges));
    return std::min(1.0, (1 - job.software.overlapCost) * hidden / std::min(forward, backward));
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
            stage.dispatch += times * pass.dispatch;
            stage.floor += times * pass.floor;
        }
    }
    return stages;
}

} // namespace

bool overlapsPasses(const ParallelPlan& plan)
{
    return plan.schedule == "dualpipe" || plan.schedule == "dualpipe-v";
}

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
    double longest = 0;
    for (const StageShare& share : shares) {
        if (costs.forward.empty() || share != priced) {
            pass = stagePass(unit, share, plan);
            priced = share;
            if (pass.all() > longest) {
                longest = pass.all();
                costs.overlapGain = overlapGain(job, plan, pass);
            }
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
    tail.gathers = exposedEachMicrobatch(job, plan, unit);
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

std::vector<std::string> outsideOfProfile(const TrainingJob& job, const ParallelPlan& plan)
{
    const ProfileDomain& domain = job.software.domain;
    if (domain.none()) {
        return {"its constants were not fitted"};
    }
    std::vector<std::string> outside;
    const auto has = [](const auto& all, const auto& one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    const DeviceSpec& device = job.cluster.device;
    if (!has(domain.devices, device.name)) {
        outside.push_back("on " + (device.title.empty() ? device.name : device.title));
    }
    // Both formats of 16 bits run at the same rates.
    const NumberFormat alike = job.precision == NumberFormat::Bf16   ? NumberFormat::Fp16
                               : job.precision == NumberFormat::Fp16 ? NumberFormat::Bf16
                                                                     : job.precision;
    if (!has(domain.formats, job.precision) && !has(domain.formats, alike)) {
        outside.push_back(std::string("in ") + toText(job.precision));
    }
    if (job.model.expert.experts > 0 && !domain.experts) {
        outside.emplace_back("mixtures of experts");
    }
    if (plan.zero == ZeroStage::Parameters && !domain.shardedWeights) {
        outside.emplace_back("ZeRO 3");
    }
    return outside;
}

double doublingsBeyondProfile(const TrainingJob& job)
{
    const int most = job.software.domain.mostDevices;
    return most > 0 ? std::log2(std::max(1.0, static_cast<double>(job.devices) / most)) : 0;
}

double expectedErrorOf(const TrainingJob& job, const ParallelPlan& plan)
{
    const double within = job.software.expectedError;
    const double outside = std::max(within, errorOutsideDomain);
    if (!outsideOfProfile(job, plan).empty()) {
        return outside;
    }
    return std::min(outside, within * (1 + doublingsBeyondProfile(job)));
}

namespace
{

void addRates(StepEstimate& estimate, const TrainingJob& job, const ParallelPlan& plan)
{
    estimate.seconds = estimate.pipeline + estimate.tail.total();
    estimate.memory = peakMemory(job, plan);
    estimate.expectedError = expectedErrorOf(job, plan);
    estimate.tokensPerSecond =
        static_cast<double>(job.globalBatch) * job.sequence / estimate.seconds;
    estimate.modelFlopsPerDevice =
        stepFlops(job, plan, FlopConvention::Model) / estimate.seconds / job.devices;
    estimate.hardwareFlopsPerDevice =
        stepFlops(job, plan, FlopConvention::Hardware) / estimate.seconds / job.devices;
}

/// Compute and exposed exchanges of the busiest stage over a whole step.
void addParts(StepEstimate& estimate, const TrainingJob& job, const ParallelPlan& plan,
              const UnitCosts& unit, const Played& played)
{
    const std::vector<PassSeconds> stages = stagePasses(job, plan, unit);
    const auto busiest = std::max_element(
        stages.begin(), stages.end(),
        [](const PassSeconds& a, const PassSeconds& b) { return a.all() < b.all(); });
    const auto microbatches = static_cast<double>(plan.microbatches(job.globalBatch));
    estimate.exposed = microbatches * busiest->exposed;
    estimate.compute = microbatches * busiest->all() - estimate.exposed;
    if (busiest->dispatch > 0 && overlapsPasses(plan)) {
        // Overlapped pairs hide exchanges: what is left of the time that the stage is busy.
        const double idle = played.idle[std::size_t(busiest - stages.begin())];
        estimate.exposed =
            std::clamp(played.makespan - idle - estimate.compute, 0.0, estimate.exposed);
    }
    estimate.bubble = std::max(0.0, estimate.pipeline - estimate.compute - estimate.exposed);
}

} // namespace

StepEstimate estimateStep(const TrainingJob& job, const ParallelPlan& plan)
{
    refuseBrokenPlan(job, plan);
    const UnitCosts unit = unitCosts(job, plan);
    const StageCosts costs = stageCosts(job, plan, unit);
    const Played played = play(computeProgramOf(job, plan, costs), costs);
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
    addParts(estimate, job, plan, unit, played);
    addRates(estimate, job, plan);
    return estimate;
}

} // namespace triaxis
