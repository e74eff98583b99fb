#pragma once

#include "engine/core/diagnostic.h"
#include "engine/simulate/prediction.h"

#include <cstdint>
#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What makes ranks and links of a prediction differ, as typed.
struct DisturbanceOptions
{
    std::vector<std::string> slowRanks, slowLinks, devicesOf;
    double jitter = 0;
    std::uint64_t seed = 1;
    bool rendezvous = false;
    bool sharedLinks = false;
};

void addDisturbanceOptions(CLI::App& command, DisturbanceOptions& options);

/// Throws Error that names the option. Whether the layout has the ranks is checked by predict().
PredictionOptions predictionOptions(const DisturbanceOptions& options, const TrainingJob& job,
                                    const ParallelPlan& plan);

/// Stages that do not fit on the other devices that their ranks sit on.
std::vector<Diagnostic> deviceFindings(const DisturbanceOptions& options, const TrainingJob& job,
                                       const ParallelPlan& plan);

} // namespace triaxis::cli
