#include "engine/plan/drawn_prediction.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/calibration_lock.h"
#include "engine/cost/machine_costs.h"
#include "engine/cost/stage_shares.h"
#include "engine/plan/cluster_costs.h"
#include "engine/record/run_bubble.h"
#include "engine/search/plan_costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis
{
namespace
{

double meanOf(const std::vector<double>& values)
{
    return values.empty()
               ? unknownFigure
               : std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

void takePlayed(DrawnPrediction& prediction, const Played& played, const StageCosts& costs)
{
    prediction.bubbleByStage.clear();
    for (const double idle : played.idle)
        prediction.bubbleByStage.push_back(played.makespan > 0 ? idle / played.makespan : 0);
    prediction.bubble = meanOf(prediction.bubbleByStage);
    prediction.stageSeconds.clear();
    for (std::size_t i = 0; i < costs.forward.size(); ++i)
        prediction.stageSeconds.push_back(costs.forward[i] + costs.input[i] + costs.weight[i]);
}

ScheduleRequest requestOf(const ParallelPlan& plan, std::int64_t microbatches)
{
    ScheduleRequest request;
    request.name = plan.schedule;
    request.stages = plan.pp;
    request.microbatches = int(microbatches);
    request.virtualStages = plan.virtualStages;
    return request;
}

double meanPeak(const DrawnPlan& plan)
{
    const DrawnCluster& cluster = plan.cluster;
    if (cluster.mixed.empty())
        return cluster.network.device.peakOf(plan.precision);
    double sum = 0;
    for (int node = 0; node < cluster.nodes; ++node)
        sum += cluster.specOfNode(node).peakOf(plan.precision);
    return sum / cluster.nodes;
}

/// Seconds of the busiest stage that communication costs: inside layers by axis, and what transfers
/// add to the pipeline.
ExposedTime exposedTime(const ClusterCosts& costs, const StepEstimate& estimate,
                        const ComputeProgram& program, StageCosts free)
{
    ExposedTime exposed;
    const InnerShares inner = innerShares(jobOver(costs, costs.networks.tensor), costs.plan);
    exposed.tensor = inner.tensor * estimate.exposed;
    exposed.context = inner.context * estimate.exposed;
    exposed.expert = inner.expert * estimate.exposed;
    if (free.transfer > 0) {
        free.transfer = 0;
        exposed.pipeline = std::max(0.0, estimate.pipeline - play(program, free).makespan);
    }
    exposed.data = estimate.tail.gradients + estimate.tail.gathers + estimate.tail.embedding;
    return exposed;
}

void priceOnCluster(DrawnPrediction& prediction, const DrawnPlan& plan)
{
    const ClusterCosts costs = clusterCosts(plan);
    const UnitCosts unit = unitCosts(jobOver(costs, costs.networks.tensor), costs.plan);
    const StageCosts stages = stageCosts(jobOver(costs, costs.networks.pipeline), costs.plan, unit);
    const StepTail tail = stepTail(jobOver(costs, costs.networks.data), costs.plan, unit);
    const ComputeProgram program = computeProgramOf(costs.job, costs.plan, stages);
    const Played played = play(program, stages);
    const StepEstimate estimate = estimateStep(costs.job, costs.plan, unit, tail, played);
    takePlayed(prediction, played, stages);
    prediction.seconds = estimate.seconds;
    prediction.tail = tail;
    prediction.exposed = exposedTime(costs, estimate, program, stages);
    prediction.expectedError = estimate.expectedError;
    prediction.errorBasis = ErrorBasis::Profile;
    prediction.memory = memoryByStage(costs.job, costs.plan);
    prediction.traffic = trafficByStage(costs.job, costs.plan);
    prediction.slowRanks = int(costs.differences.slowRanks.size());
    if (!costs.differences.none()) {
        PredictionOptions options;
        options.perturbations = costs.differences;
        options.spans = false;
        const Prediction played =
            predict(simulatedPlan(costs.job, costs.plan, costs.networks), options);
        prediction.seconds = played.seconds;
    }
    prediction.tokensPerSecond =
        double(costs.job.globalBatch) * costs.job.sequence / prediction.seconds;
    prediction.mfu =
        estimate.modelFlopsPerDevice * estimate.seconds / prediction.seconds / meanPeak(plan);
    const std::int64_t microbatches = costs.plan.microbatches(costs.job.globalBatch);
    if (costs.plan.schedule != "auto")
        prediction.closedForm = closedForm(requestOf(costs.plan, microbatches))
                                    .idleOverMakespan()
                                    .value_or(unknownFigure);
}

/// A run here keeps everything in fp32, whatever a cluster's software would do.
std::vector<MemoryParts> memoryHere(const DrawnPlan& plan)
{
    TrainingJob job = trainingJob(plan);
    job.software = SoftwareProfile();
    job.software.optimizerBytes = 8; // two moments; the weights are their own master copy
    return memoryByStage(job, parallelPlan(plan));
}

bool isOfReplicas(Kind kind)
{
    return kind == Kind::GradientReduce || kind == Kind::TiedReduce || kind == Kind::ReplicaReduce;
}

/// Of the stage that communicates most.
ExposedTime exposedHere(const std::vector<Span>& spans, const StepShares& shares,
                        const Layout& layout)
{
    std::vector<double> lastCompute(shares.perRank.size(), 0);
    for (const Span& span : spans)
        if (span.lane == Lane::Compute && span.id.kind() != Kind::OptimizerStep)
            lastCompute[std::size_t(span.rank.value)] =
                std::max(lastCompute[std::size_t(span.rank.value)], span.end);
    std::vector<ExposedTime> stages(std::size_t(layout.pp));
    const auto stageOf = [&](std::size_t rank) -> ExposedTime& {
        return stages[std::size_t(coordinatesOf(layout, Rank(int(rank))).pipeline)];
    };
    for (std::size_t rank = 0; rank < shares.perRank.size(); ++rank) {
        const LaneShare& share = shares.perRank[rank];
        stageOf(rank).tensor += share.tensorWait + share.tensorTransfer;
        stageOf(rank).pipeline += share.exposedTransfer;
    }
    for (const Span& span : spans) {
        const auto rank = std::size_t(span.rank.value);
        if (isOfReplicas(span.id.kind()))
            stageOf(rank).data += std::max(0.0, span.end - std::max(span.begin, lastCompute[rank]));
    }
    const double ranks = double(layout.dp) * layout.tp;
    for (ExposedTime& stage : stages)
        for (double* part : {&stage.tensor, &stage.pipeline, &stage.data})
            *part /= ranks;
    return *std::max_element(
        stages.begin(), stages.end(),
        [](const ExposedTime& a, const ExposedTime& b) { return a.total() < b.total(); });
}

void takeExpectedError(DrawnPrediction& prediction, const DrawnPlan& plan,
                       const MachineFacts& machine, double spread)
{
    const FinishedRuns& runs = plan.run.execution.pace.active() ? machine.paced : machine.finished;
    if (runs.runs > 0) {
        prediction.expectedError = runs.error;
        prediction.errorBasis = ErrorBasis::FinishedRuns;
        prediction.errorRuns = runs.runs;
    } else if (spread > 0) {
        prediction.expectedError = spread;
        prediction.errorBasis = ErrorBasis::Calibration;
    }
}

/// What others took of the cores while they were measured is no pace of theirs, and no spread tells
/// how far off it is.
void findDisturbance(DrawnPrediction& prediction, const MachineCalibration& calibration)
{
    if (!(calibration.others > disturbed))
        return;
    if (prediction.errorBasis == ErrorBasis::Calibration)
        prediction.expectedError = std::max(prediction.expectedError, calibration.others);
    Diagnostic finding;
    finding.severity = Severity::Warning;
    finding.what = "other programs took " + units::percent(calibration.others) +
                   " of the cores while this machine was measured";
    finding.where = "machine";
    finding.why = "what it measured then is longer than what it takes alone";
    finding.mend = "calibrate again when the machine is idle";
    prediction.findings.push_back(std::move(finding));
}

void priceHere(DrawnPrediction& prediction, const DrawnPlan& plan, const MachineFacts& machine)
{
    const StageCosts costs = planCosts(plan.run);
    takePlayed(prediction, play(generate(scheduleRequest(plan.run)), costs), costs);
    prediction.closedForm = closedBubble(planClosedForm(plan.run).form);
    prediction.memory = memoryHere(plan);
    prediction.traffic = trafficByStage(trainingJob(plan), parallelPlan(plan));
    prediction.basis = PredictionBasis::Units;
    if (!machine.calibration)
        return;
    const MachinePrediction measured = predictOnMachine(plan.run, *machine.calibration);
    prediction.basis = PredictionBasis::Machine;
    prediction.seconds = measured.stepSeconds;
    // As the predicted step shows it, and as a run is told of.
    const StepShares shares = stepShares(measured.spans, plan.run.layout);
    prediction.bubbleByStage = bubbleByStage(shares, plan.run.layout);
    prediction.bubble = bubble(shares, plan.run.layout);
    prediction.exposed = exposedHere(measured.spans, shares, plan.run.layout);
    takeExpectedError(prediction, plan, machine, measured.spread);
    findDisturbance(prediction, *machine.calibration);
    const BatchShape& batch = plan.run.training.batch;
    prediction.tokensPerSecond = double(batch.globalBatch) * batch.sequence / prediction.seconds;
    for (const PredictedBytes& rank : measured.memory)
        prediction.memoryByRank.push_back(rank.peakTotal);
}

std::string bytesText(double bytes)
{
    return units::bytes(std::int64_t(bytes));
}

void findFullest(DrawnPrediction& prediction, const DrawnPlan& plan, const MachineFacts& machine)
{
    const int ranks = drawnLayout(plan).ranks();
    int over = 0;
    for (int rank = 0; rank < ranks; ++rank) {
        const double capacity = capacityOf(plan, Rank(rank), machine);
        if (capacity <= 0)
            return;
        const double share = prediction.bytesOf(plan, Rank(rank)) / capacity;
        over += share > 1 ? 1 : 0;
        if (!(share <= prediction.fullest)) {
            prediction.fullest = share;
            prediction.fullestRank = Rank(rank);
        }
    }
    if (over == 0)
        return;
    const double needed = prediction.bytesOf(plan, prediction.fullestRank);
    const double capacity = capacityOf(plan, prediction.fullestRank, machine);
    Diagnostic finding;
    finding.severity = plan.cluster.thisMachine ? Severity::Warning : Severity::Error;
    finding.what = "out of memory on " + std::to_string(over) +
                   (over == 1 ? " rank: " : " ranks: ") + bytesText(needed) + " of " +
                   bytesText(capacity) + ", " + bytesText(needed - capacity) + " too much";
    finding.where = "rank " + std::to_string(prediction.fullestRank.value);
    const int stage = coordinatesOf(drawnLayout(plan), prediction.fullestRank).pipeline;
    const MemoryParts& parts = prediction.memory[std::size_t(stage)];
    finding.why = "stage " + std::to_string(stage) + " keeps " +
                  bytesText(parts.weights + parts.gradients + parts.optimizer) +
                  " of weights, gradients and optimizer and " +
                  bytesText(parts.activations + parts.logits) + " of activations";
    prediction.findings.push_back(std::move(finding));
}

} // namespace

double DrawnPrediction::bytesOf(const DrawnPlan& plan, Rank rank) const
{
    const auto index = std::size_t(rank.value);
    if (index < memoryByRank.size())
        return double(memoryByRank[index]);
    const auto stage = std::size_t(coordinatesOf(drawnLayout(plan), rank).pipeline);
    return stage < memory.size() ? memory[stage].total() : 0;
}

double capacityOf(const DrawnPlan& plan, Rank rank, const MachineFacts& machine)
{
    if (plan.cluster.thisMachine)
        return double(machine.memoryBytes) / std::max(1, plan.run.layout.ranks());
    return double(plan.cluster.specOf(deviceOf(plan, rank)).memoryBytes);
}

DrawnPrediction predictDrawn(const DrawnPlan& plan, const MachineFacts& machine)
{
    DrawnPrediction prediction;
    if (hasErrors(checkDrawn(plan)))
        return prediction;
    try {
        if (plan.cluster.thisMachine)
            priceHere(prediction, plan, machine);
        else
            priceOnCluster(prediction, plan);
        prediction.known = true;
        findFullest(prediction, plan, machine);
    } catch (const Error& error) {
        prediction = {};
        prediction.findings.push_back({Severity::Warning, "not predicted: " + error.object(),
                                       "prediction", error.tried(), error.remedy()});
    }
    return prediction;
}

} // namespace triaxis
