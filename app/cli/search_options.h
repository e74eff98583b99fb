#pragma once

#include "app/cli/job_options.h"
#include "engine/search/plan_search.h"

#include <string>
#include <vector>

namespace CLI
{
class App;
}

namespace triaxis::cli
{

/// What a person typed about a search over layouts.
struct SearchOptions
{
    JobOptions job;
    std::string dp, tp, cp, pp, virtualStages, ep, expertTp, microbatch; ///< lists; empty: any
    int mostTp = 0;
    int mostCp = 0;
    int mostPp = 0;
    std::string schedules; ///< names, with commas
    std::string zero;      ///< none, 1, 2, 3
    std::string recompute; ///< none, selective, full
    std::string sequenceParallel;
    double memoryGib = 0;
    double price = 0; ///< of one device for one hour
    int top = 10;
    std::string explain; ///< "tp=8,pp=4,…"
    bool front = false;
    bool smallestCluster = false;
    bool bestBatch = false;
    bool json = false;
};

void addSearchOptions(CLI::App& command, SearchOptions& options);

/// Throws Error that names the option.
PlanLimits limitsFrom(const SearchOptions& options);

/// "tp=8,pp=4,schedule=1f1b,…" on top of what is the rest: dp fills up the devices. Throws Error
/// for an unknown name or value.
ParallelPlan planFromText(const std::string& text, const TrainingJob& job);

} // namespace triaxis::cli
