#pragma once

#include "engine/simulate/critical_path.h"
#include "engine/simulate/exposed.h"
#include "engine/simulate/out_of_memory.h"
#include "engine/simulate/what_if.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace triaxis::cli
{

/// All that `triaxis simulate` found out, printed one way or the other.
struct SimulateResult
{
    TrainingJob job;
    ParallelPlan plan;
    std::vector<Diagnostic> diagnostics;
    StepEstimate estimate; ///< nothing perturbed
    double seconds = 0;    ///< of the step as it was asked for
    std::optional<Prediction> perturbed;
    std::vector<ExposedTime> exposed; ///< [P]
    std::vector<double> bubbles;      ///< [P] idle over the step without its tail
    std::optional<PathTimes> criticalPath;
    double pathCollectives = 0; ///< seconds of it in collectives within layers
    std::vector<MemoryParts> memory;  ///< [P]
    std::optional<OutOfMemory> outOfMemory;
    bool fitsOtherDevices = true; ///< of --device-of
    std::vector<WhatIf> whatIf;
    bool showMemory = false;
    std::vector<std::string> files; ///< written
};

void printSimulateText(const SimulateResult& result);
nlohmann::ordered_json simulateJson(const SimulateResult& result);

} // namespace triaxis::cli
