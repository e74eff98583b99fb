#pragma once

#include "app/cli/schedule_options.h"
#include "engine/record/run_plan.h"

#include <optional>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What a person typed about a run. Empty options keep the value of the plan they are applied to.
struct PlanOptions
{
    std::string planFile;
    std::optional<std::string> label, model, weights, batches, data, order, layersPerStage, hostfile, device, precision;
    std::optional<int> dp, tp, pp, microbatch, globalBatch, sequence, threads;
    std::optional<std::int64_t> steps, warmup;
    std::optional<double> learningRate, beta1, beta2, epsilon, weightDecay, clip, hang;
    std::optional<std::uint64_t> seed;
    std::optional<int> wholeSteps, everyStep;
    std::vector<std::string> mca;
    ScheduleOptions schedule;
    bool random = false;
    bool detail = false;
    bool saveWeights = false;
};

/// Adds the options to `command`, grouped for --help.
void addPlanOptions(CLI::App& command, PlanOptions& options);

/// The plan that the options describe, on top of the defaults, a plan file and a batch file, in this order.
/// What was filled in or changed on the way is added to `notes`, a sentence each. Throws Error.
RunPlan planFrom(const PlanOptions& options, std::vector<std::string>& notes);

} // namespace triaxis::cli
