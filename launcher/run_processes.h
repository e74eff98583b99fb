#pragma once

#include "engine/record/rank_status.h"

#include <string>
#include <vector>

namespace triaxis
{

/// A process named for good: a pid alone may be given to another one.
struct ProcessName
{
    int pid = 0;
    std::int64_t startTime = 0;
    auto operator<=>(const ProcessName&) const = default;
};

/// Every process of this host, but the caller, that belongs to a run: those whose environment has
/// TRIAXIS_RUN_ID=id (mpirun, its daemons, ranks and what these started) and those that the rank
/// status names. Zombies do not count.
std::vector<ProcessName> processesOfRun(const std::string& runId,
                                        const std::vector<RankStatus>& ranks);

/// Ends them all: SIGTERM, and SIGKILL for what is left after `graceSeconds`, until none is left.
/// Returns those that even that did not end within a few seconds (stuck in the kernel).
std::vector<ProcessName> endProcesses(const std::string& runId,
                                      const std::vector<RankStatus>& ranks, double graceSeconds);

} // namespace triaxis
