#include "engine/simulate/run_prediction.h"

#include "engine/core/error.h"
#include "engine/cost/ideal_machine.h"

namespace triaxis
{
namespace
{

/// Why the calibration cannot be used for a run on `host`; empty if it can.
std::string whyUseless(const std::optional<MachineCalibration>& calibration,
                       const std::string& host)
{
    if (!calibration)
        return "this machine has not been measured";
    if (const std::string foreign = whyForeign(*calibration); !foreign.empty())
        return "the calibration is not of this machine: " + foreign;
    if (!host.empty() && host != calibration->host)
        return "it ran on " + host + ", and this machine is " + calibration->host;
    return {};
}

void fill(RunPrediction& result, const RunPlan& plan, const MachineCalibration& calibration)
{
    try {
        result.prediction = predictOnMachine(plan, calibration);
    } catch (const Error& error) {
        result.problem = error.object();
        result.remedy = error.remedy();
    }
}

} // namespace

RunPrediction predictRun(const RunPlan& plan, const std::string& host,
                         const std::filesystem::path& home)
{
    RunPrediction result;
    std::optional<MachineCalibration> calibration;
    std::string useless;
    try {
        calibration = loadCalibration(home);
        useless = whyUseless(calibration, host);
    } catch (const Error& error) {
        useless = error.object();
    }
    if (useless.empty()) {
        result.basis = "the calibration of this machine of " + calibration->date.substr(0, 10);
        fill(result, plan, *calibration);
        return result;
    }
    const bool elsewhere = calibration && !host.empty() && host != calibration->host;
    result.wantsCalibration = !elsewhere;
    if (plan.execution.pace.active()) {
        result.basis = "its slots and links, the machine's own time left out";
        fill(result, plan, idealMachine(plan.layout.ranks()));
        return result;
    }
    result.problem = useless;
    result.remedy = elsewhere ? "open the run on " + host +
                                    ", and measure that machine there: "
                                    "triaxis calibrate"
                              : "measure it once: triaxis calibrate";
    return result;
}

} // namespace triaxis
