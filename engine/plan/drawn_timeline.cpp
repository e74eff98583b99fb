#include "engine/core/error.h"
#include "engine/cost/machine_costs.h"
#include "engine/plan/cluster_costs.h"
#include "engine/plan/drawn_prediction.h"
#include "engine/search/plan_costs.h"

#include <algorithm>

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

void scale(std::vector<Span>& spans, double factor)
{
    for (Span& span : spans) {
        span.ready *= factor;
        span.begin *= factor;
        span.end *= factor;
    }
}

double endOf(const std::vector<Span>& spans)
{
    double end = 0;
    for (const Span& span : spans)
        end = std::max(end, span.end);
    return end;
}

void describe(DrawnTimeline& timeline, const SimulatedPlan& simulated,
              const PredictionOptions& options, double seconds)
{
    Prediction prediction = predict(simulated, options);
    if (seconds > 0) {
        const double end = endOf(prediction.spans);
        scale(prediction.spans, end > 0 ? seconds / end : 1);
    }
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
            describe(timeline, simulatedPlan(costs.job, costs.plan, costs.networks), options, 0);
            return timeline;
        }
        timeline.basis = machine.calibration ? PredictionBasis::Machine : PredictionBasis::Units;
        const double seconds =
            machine.calibration ? predictOnMachine(plan.run, *machine.calibration).stepSeconds : 0;
        describe(timeline, simulatedHere(plan), options, seconds);
    } catch (const Error& error) {
        timeline = {};
        timeline.problem = error.object();
    }
    return timeline;
}

} // namespace triaxis
