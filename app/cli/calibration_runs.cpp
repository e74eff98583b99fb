#include "app/cli/calibration_runs.h"

#include "app/cli/plan_options.h"
#include "app/cli/run_session.h"
#include "app/cli/trial_home.h"
#include "engine/core/error.h"
#include "engine/cost/machine_costs.h"
#include "engine/data/complete_data.h"
#include "engine/record/records.h"
#include "engine/record/utc.h"

#include <algorithm>

namespace triaxis::cli
{
namespace
{

constexpr int timesWhole = 3;
/// Steps of a run before it is steady, and how many follow: for about so many seconds.
constexpr std::int64_t firstSteady = 3;
constexpr double secondsOfRun = 1.2;
constexpr double leastSteps = 5, mostSteps = 24;
constexpr double secondsOfPace = 5;

struct Shape
{
    int dp = 1, tp = 1, pp = 1;
    int sequence = 128, batch = 8, microbatch = 2;
    int ranks() const { return dp * tp * pp; }
};

/// In the order in which they are made: each kind (runsOverSamples) once, then again.
std::vector<Shape> shapesOf(int cores, bool quick)
{
    std::vector<Shape> shapes{{1, 1, 1}};
    if (cores > 1)
        shapes.push_back({1, 1, 2});
    if (cores < 4)
        shapes.push_back({2, 1, 2});
    if (quick)
        return shapes;
    if (cores > 1) {
        shapes.push_back({2, 1, 1, 64, 16, 4});
        shapes.push_back({1, 2, 1, 128, 8, 1});
    }
    shapes.push_back({1, 4, 1, 64, 8, 2});
    shapes.push_back({1, 1, 1, 64, 4, 1});
    shapes.push_back({1, 1, 4, 128, 16, 2});
    if (cores < 8)
        shapes.push_back({2, 2, 2});
    return shapes;
}

RunPlan planOf(const Shape& shape)
{
    PlanOptions options;
    options.model = "gpt2-1m";
    options.dp = shape.dp;
    options.tp = shape.tp;
    options.pp = shape.pp;
    options.sequence = shape.sequence;
    options.globalBatch = shape.batch;
    options.microbatch = shape.microbatch;
    std::vector<std::string> notes;
    RunPlan plan = planFrom(options, notes);
    completeData(plan);
    return plan;
}

std::string nameOf(const Shape& shape)
{
    return std::to_string(shape.dp) + "x" + std::to_string(shape.tp) + "x" +
           std::to_string(shape.pp) + ", " + std::to_string(shape.batch) + " x " +
           std::to_string(shape.sequence) + " tokens in microbatches of " +
           std::to_string(shape.microbatch);
}

std::vector<PaceTrace> paceNow(int cores)
{
    CalibrationRounds pace({paceJob(cores)}, cores, true, secondsOfPace);
    pace.run(1);
    return pace.result().paces;
}

double medianStep(const RunRecords& records)
{
    std::vector<double> seconds;
    for (const StepResult& step : records.all.steps)
        if (step.step > firstSteady)
            seconds.push_back(step.seconds);
    if (seconds.empty())
        return 0;
    const auto middle = seconds.begin() + std::ptrdiff_t(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

} // namespace

CalibrationRuns::CalibrationRuns(int cores, bool quick, double budget)
    : m_cores(cores), m_times(quick ? 1 : timesWhole), m_budget(budget)
{
    for (const Shape& shape : shapesOf(cores, quick))
        m_plans.push_back({nameOf(shape), planOf(shape)});
}

RunSample CalibrationRuns::measureOne(const Named& run, MachineCalibration& calibration) const
{
    const TrialHome home;
    RunPlan plan = run.plan;
    const double expected = predictOnMachine(plan, calibration).stepSeconds;
    plan.training.steps =
        firstSteady + std::int64_t(std::clamp(secondsOfRun / expected, leastSteps, mostSteps));
    RunDirectory directory = makeRun(home.path(), plan);
    const RunStatus status = runToEnd(directory, *makeQuietPrinter());
    const double seconds = medianStep(readRun(directory));
    if (status.state != RunState::Finished || seconds <= 0)
        throw Error("cannot calibrate this machine",
                    "the run of " + run.name + " did not end well: " + status.reason,
                    "see whether ranks can run here at all: triaxis doctor");
    // The pace before it is that after the last one.
    const std::vector<PaceTrace> after = paceNow(m_cores);
    calibration.now.insert(calibration.now.end(), after.begin(), after.end());
    const double predicted = predictOnMachine(plan, calibration).stepSeconds;
    calibration.now = after;
    return {run.name, plan.layout.ranks(), seconds, predicted};
}

void CalibrationRuns::measure(MachineCalibration& calibration, CalibrationProgress& progress) const
{
    calibration.runs.clear();
    const double begin = unixTime();
    std::vector<RunSample> samples;
    calibration.now = paceNow(m_cores);
    double longest = 0;
    for (int round = 0; round < m_times; ++round)
        for (const Named& run : m_plans) {
            const double started = unixTime();
            if (round > 0 && started + longest > begin + m_budget) {
                progress.skip();
                continue;
            }
            const int ranks = run.plan.layout.ranks();
            progress.begin(std::to_string(ranks) + (ranks == 1 ? " rank" : " ranks"),
                           "run " + run.name);
            samples.push_back(measureOne(run, calibration));
            longest = std::max(longest, unixTime() - started);
        }
    calibration.now.clear();
    calibration.runs = std::move(samples);
}

} // namespace triaxis::cli
