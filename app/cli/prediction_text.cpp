#include "app/cli/prediction_text.h"

#include "app/cli/calibration_text.h"
#include "app/cli/commands.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/machine_costs.h"
#include "engine/record/run_directory.h"
#include "engine/record/utc.h"

#include <cmath>
#include <cstdio>

namespace triaxis::cli
{
namespace
{

MachineCalibration calibrationHere()
{
    const auto calibration = loadCalibration(triaxisHome());
    if (!calibration)
        throw Error("cannot predict the run", "this machine has not been measured",
                    "measure it once: triaxis calibrate");
    if (const std::string why = whyForeign(*calibration); !why.empty())
        throw Error("cannot predict the run", "the calibration is not of this machine: " + why,
                    "measure this machine: triaxis calibrate");
    return *calibration;
}

std::int64_t tokensOf(const RunPlan& plan)
{
    return std::int64_t(plan.training.batch.globalBatch) * plan.training.batch.sequence;
}

void printJson(const RunPlan& plan, const MachinePrediction& prediction)
{
    nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
    for (const PredictedBytes& memory : prediction.memory) {
        nlohmann::ordered_json rank{{"peak_bytes", memory.peakTotal}};
        for (int i = 0; i < memoryCategoryCount; ++i)
            rank[toText(MemoryCategory(i))] = memory.peak[std::size_t(i)];
        ranks.push_back(rank);
    }
    const nlohmann::ordered_json line{
        {"predicted", true},
        {"seconds", prediction.stepSeconds},
        {"spread", prediction.spread},
        {"slowness", prediction.slowness},
        {"tokens_per_second", double(tokensOf(plan)) / prediction.stepSeconds},
        {"threads", prediction.threads},
        {"ranks", ranks}};
    std::printf("%s\n", line.dump().c_str());
}

/// " ± 12 %" of the steps of a machine whose cores keep no even pace.
std::string spreadText(const MachinePrediction& prediction)
{
    const auto percent = std::lround(100 * prediction.spread);
    return percent > 0 ? " ± " + std::to_string(percent) + " %" : std::string();
}

void printTable(const RunPlan& plan, const MachinePrediction& prediction, const std::string& pace)
{
    std::printf("Predicted for this machine, not run\n\n%s, %s, %d %s a rank\n",
                toText(plan.layout).c_str(), plan.training.schedule.c_str(), prediction.threads,
                prediction.threads == 1 ? "thread" : "threads");
    std::printf("step  %s%s, %s tokens/s\n", units::seconds(prediction.stepSeconds).c_str(),
                spreadText(prediction).c_str(),
                units::count(double(tokensOf(plan)) / prediction.stepSeconds).c_str());
    std::printf("%s%s\n", pace.c_str(), pace.empty() ? "" : "\n");
    std::printf("%-6s%14s", "rank", "peak memory");
    for (int i = 0; i < memoryCategoryCount; ++i)
        std::printf("%15s", toText(MemoryCategory(i)));
    std::printf("\n");
    for (std::size_t rank = 0; rank < prediction.memory.size(); ++rank) {
        const PredictedBytes& memory = prediction.memory[rank];
        std::printf("%-6zu%14s", rank, units::bytes(memory.peakTotal).c_str());
        for (const std::int64_t bytes : memory.peak)
            std::printf("%15s", units::bytes(bytes).c_str());
        std::printf("\n");
    }
}

} // namespace

int printPrediction(const RunPlan& plan, bool json)
{
    const MachineCalibration calibration = calibrationHere();
    const MachinePrediction prediction = predictOnMachine(plan, calibration);
    if (json)
        printJson(plan, prediction);
    else
        printTable(plan, prediction, paceText(calibration, unixTime()));
    return Success;
}

} // namespace triaxis::cli
