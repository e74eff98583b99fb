#pragma once

#include "kernels/communicator.h"

#include <filesystem>
#include <string>

namespace triaxis::rank
{

/// Whether this host sees the directory of the run.
bool reachesRun(const std::filesystem::path& directory);

/// Throws Error where nobody could hand the plan over: the directory is no run, and neither mpirun
/// nor srun started this process.
void checkReach(const std::filesystem::path& directory);

/// Collective: the text of run.json, which rank 0 reads from the directory, or from standard input
/// where it does not reach it; there it waits up to 30 s for each piece. Throws Error on every rank
/// if rank 0 has neither.
std::string sharedDescription(const std::filesystem::path& directory, kernels::World& world);

} // namespace triaxis::rank
