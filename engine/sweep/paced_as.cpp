#include "engine/sweep/paced_as.h"

#include "engine/core/error.h"
#include "engine/cost/collectives.h"
#include "engine/cost/memory.h"
#include "engine/cost/stage_shares.h"
#include "engine/cost/step_estimate.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double spare = 1.2;
constexpr double counted = 0.95; // share of the slots that are to be long enough
constexpr double bytesOfRun = 4; // a value of a run on CPUs
constexpr double tinyMessage = 1;

/// The same cluster with links that take no time worth speaking of.
ClusterSpec withFreeLinks(ClusterSpec cluster)
{
    for (LinkLevel& level : cluster.levels) {
        level.bandwidth = 1e18;
        level.latency = level.startup = 1e-15;
        level.efficiency = 1;
        level.copyBandwidth = level.halfSize = 0;
        level.sharing = 1;
    }
    return cluster;
}

/// A ring's link on which `runBytes` take as long as `bytes` of the target, and a tiny message as
/// long as a tiny one.
PacedLink ringLink(const TrainingJob& job, const GroupPlacement& group, double bytes,
                   double runBytes)
{
    PacedLink link;
    if (group.ranks < 2 || bytes <= 0 || runBytes <= 0)
        return link;
    const double messages = 2.0 * (group.ranks - 1);
    const auto seconds = [&](double size) {
        return collectiveSeconds(job.cluster, Collective::AllReduce, size, group) /
               job.software.linkEfficiency;
    };
    const double tiny = seconds(tinyMessage);
    const double rest = seconds(bytes) - tiny;
    link.latency = tiny / messages;
    link.bandwidth = rest > 0 ? messages * runBytes / group.ranks / rest : 0;
    return link;
}

/// `hop`: seconds of the target's transfer between stages.
PacedLink pipelineLink(const TrainingJob& job, const ParallelPlan& plan, double hop,
                       double runBytes)
{
    PacedLink link;
    if (plan.pp < 2)
        return link;
    const int stride = plan.tp * plan.dp;
    const GroupPlacement pair{2, stride, std::min(stride, job.cluster.nodeSize())};
    link.latency =
        std::min(hop, collectiveSeconds(job.cluster, Collective::PointToPoint, tinyMessage, pair) /
                          job.software.linkEfficiency);
    link.bandwidth = hop > link.latency ? runBytes / (hop - link.latency) : 0;
    return link;
}

/// Of the output of a layer, for one microbatch.
double activationBytes(const TrainingJob& job, ParallelPlan plan)
{
    plan.tp = 1;
    return unitCosts(job, plan).hopBytes;
}

double mostParameters(const TrainingJob& job, const ParallelPlan& plan)
{
    double most = 0;
    for (const StageParameters& stage : stageParameters(job, plan))
        most = std::max(most, stage.all());
    return most;
}

void stretchLink(PacedLink& link, double stretch)
{
    link.latency *= stretch;
    link.bandwidth /= stretch;
}

void stretchAll(PacePlan& pace, double stretch)
{
    for (auto* slots : {&pace.forward, &pace.input, &pace.weight})
        for (double& seconds : *slots)
            seconds *= stretch;
    pace.optimizer *= stretch;
    for (PacedLink* link : {&pace.pipeline, &pace.tensor, &pace.data})
        stretchLink(*link, stretch);
}

/// 1, 2 or 5 times a power of ten, not below `value`.
double roundedUp(double value)
{
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double step : {1.0, 2.0, 5.0})
        if (value <= step * decade * (1 + 1e-9))
            return step * decade;
    return 10 * decade;
}

} // namespace

TrainingJob targetJob(const PacedTarget& target, const RunPlan& run)
{
    TrainingJob job;
    job.model = target.model;
    job.cluster = target.cluster;
    job.software = target.software;
    job.precision = target.precision;
    job.devices = run.layout.ranks();
    job.sequence = target.sequence;
    job.globalBatch = run.training.batch.globalBatch;
    return job;
}

ParallelPlan targetPlan(const RunPlan& run)
{
    ParallelPlan plan;
    plan.dp = run.layout.dp;
    plan.tp = run.layout.tp;
    plan.pp = run.layout.pp;
    plan.virtualStages = run.layout.virtualStages;
    plan.microbatch = run.training.batch.microbatch;
    plan.schedule = run.training.schedule;
    return plan;
}

PacePlan pacedAs(const PacedTarget& target, const RunPlan& run, double stretch)
{
    const TrainingJob job = targetJob(target, run);
    const ParallelPlan plan = targetPlan(run);
    for (const Diagnostic& finding : checkPlan(job, plan))
        if (finding.severity == Severity::Error)
            throw Error("cannot pace the run as " + job.model.name + " on " +
                            job.cluster.device.title,
                        finding.what, finding.mend);
    TrainingJob computing = job;
    computing.cluster = withFreeLinks(job.cluster);
    const UnitCosts unit = unitCosts(computing, plan);
    const StageCosts costs = stageCosts(computing, plan, unit);
    const StepTail tail = stepTail(computing, plan, unit);

    PacePlan pace;
    pace.forward = costs.forward;
    pace.input = costs.input;
    pace.weight = costs.weight;
    pace.optimizer = tail.optimizer + tail.overhead;

    TrainingJob small = job;
    small.model = shapeOf(run.model);
    const BatchShape& batch = run.training.batch;
    const double runActivation =
        double(batch.microbatch) * batch.sequence * small.model.hidden * bytesOfRun;
    pace.tensor = ringLink(job, {plan.tp, 1, std::max(1, job.cluster.nodeSize() / plan.tp)},
                           activationBytes(job, plan), runActivation);
    pace.data = ringLink(job, {plan.dp, plan.tp, std::min(plan.tp, job.cluster.nodeSize())},
                         mostParameters(job, plan) * job.software.gradientBytes,
                         mostParameters(small, plan) * bytesOfRun);
    const double hop = stageCosts(job, plan, unitCosts(job, plan)).transfer;
    pace.pipeline = pipelineLink(job, plan, hop, runActivation);
    stretchAll(pace, stretch);
    return pace;
}

double targetMemory(const PacedTarget& target, const RunPlan& run)
{
    return peakMemory(targetJob(target, run), targetPlan(run));
}

double enoughStretch(const std::vector<SlotSample>& samples, double stretch)
{
    std::vector<double> ratios;
    for (const SlotSample& sample : samples) {
        const double slot = sample.end - sample.begin;
        if (slot > 0 && std::isfinite(sample.work))
            ratios.push_back(sample.work / slot);
    }
    if (ratios.empty())
        return stretch;
    const auto high = ratios.begin() + std::ptrdiff_t(double(ratios.size() - 1) * counted);
    std::nth_element(ratios.begin(), high, ratios.end());
    return std::max(1.0, roundedUp(std::max(1e-3, *high * spare * stretch)));
}

} // namespace triaxis
