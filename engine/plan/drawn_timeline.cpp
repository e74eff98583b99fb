#include "engine/core/error.h"
#include "engine/cost/machine_costs.h"
#include "engine/plan/cluster_costs.h"
#include "engine/plan/drawn_prediction.h"
#include "engine/search/plan_costs.h"

namespace triaxis
{
namespace
{

constexpr double mostSpans = 400'000;

void refuseLargePrograms(const ParallelPlan& plan, std::int64_t globalBatch)
{
    const double steps =
        4.0 * double(plan.microbatches(globalBatch)) * plan.pp * plan.virtualStages;
    if (steps > mostSpans)
        throw Error("cannot draw the step",
                    std::to_string(plan.microbatches(globalBatch)) + " microbatches on " +
                        std::to_string(plan.pp) + " stages are more spans than a picture shows",
                    "use larger microbatches or more replicas");
}

SimulatedPlan simulatedHere(const DrawnPlan& plan)
{
    RunPlan one = plan.run; // tensor and data ranks move together: one of them stands for all
    return simulatedPlan(one.layout, programOf(one), planCosts(one), StepTail{}, {});
}

/// What the calibration of this machine says, every rank with its own spans.
void describeHere(DrawnTimeline& timeline, const DrawnPlan& plan,
                  const MachineCalibration& calibration)
{
    timeline.basis = PredictionBasis::Machine;
    timeline.calibrated = calibration.date;
    timeline.layout = plan.run.layout;
    timeline.spans = predictOnMachine(plan.run, calibration).spans;
    timeline.shares = stepShares(timeline.spans, timeline.layout);
}

void describe(DrawnTimeline& timeline, const SimulatedPlan& simulated,
              const PredictionOptions& options)
{
    const Prediction prediction = predict(simulated, options);
    timeline.spans = asOnePipeline(prediction, timeline.layout);
    timeline.shares = stepShares(timeline.spans, timeline.layout);
    const std::vector<Span> path = criticalPath(simulated, prediction);
    timeline.path = pathTimes(path);
    timeline.criticalPath = path.empty() ? 0 : path.back().end - path.front().begin;
}

} // namespace

DrawnTimeline drawnTimeline(const DrawnPlan& plan, const MachineFacts& machine)
{
    DrawnTimeline timeline;
    if (hasErrors(checkDrawn(plan))) {
        timeline.problem = "the plan breaks a rule";
        return timeline;
    }
    try {
        refuseLargePrograms(parallelPlan(plan), plan.run.training.batch.globalBatch);
        PredictionOptions options;
        if (!plan.cluster.thisMachine) {
            const ClusterCosts costs = clusterCosts(plan);
            options.perturbations = costs.differences;
            describe(timeline, simulatedPlan(costs.job, costs.plan, costs.networks), options);
            return timeline;
        }
        if (machine.calibration) {
            describeHere(timeline, plan, *machine.calibration);
            return timeline;
        }
        timeline.basis = PredictionBasis::Units;
        describe(timeline, simulatedHere(plan), options);
    } catch (const Error& error) {
        timeline = {};
        timeline.problem = error.object();
    }
    return timeline;
}

} // namespace triaxis
