#pragma once

#include "app/cli/job_options.h"
#include "engine/cost/training_job.h"

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What a person typed about how a job is spread. 0 and empty: left to the rest.
struct ParallelOptions
{
    int dp = 0;
    int tp = 1, pp = 1, cp = 1, ep = 1, expertTp = 1;
    int virtualStages = 0;
    int microbatch = 1;
    std::string schedule;
    std::string layersPerStage;
    std::string recompute = "none";
    int recomputedLayers = -1;
    std::string zero = "none";
    int shardGroup = 0;
    bool sequenceParallel = false;
};

/// Adds the options to `command`, grouped for --help.
void addParallelOptions(CLI::App& command, ParallelOptions& options);

/// The plan for the job. Sets job.devices where `devicesGiven` is false: what the layout needs.
/// Throws Error for texts that name nothing, and where the sizes contradict each other.
ParallelPlan parallelPlanFrom(const ParallelOptions& options, TrainingJob& job, bool devicesGiven);

} // namespace triaxis::cli
