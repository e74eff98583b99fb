#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace triaxis
{

/// Cores that this process may use: those of its affinity mask, or fewer where its control group
/// has a quota; at least 1.
int usableCores();

/// Physical cores behind the affinity mask (hardware threads of one core count once), at least 1.
int physicalCores();

/// How many threads a process may have by its environment: OMP_NUM_THREADS where that begins with a
/// number of 1 or more.
std::optional<int> threadLimit();

/// Threads of one of `ranks` ranks that share `cores`: `wanted`, or where that is 0 its share of
/// the cores; at least 1, never more than the cores or `limit`.
int threadsOfRank(int wanted, int cores, int ranks, std::optional<int> limit);

/// The processor quota of a control group in cores ("150000 100000" is 1.5), the least along the
/// path to the root; nothing if there is none. `mounts`: where the controllers are mounted,
/// /sys/fs/cgroup. `membership`: content of /proc/self/cgroup (versions 1 and 2).
std::optional<double> processorQuota(const std::filesystem::path& mounts,
                                     const std::string& membership);

} // namespace triaxis
