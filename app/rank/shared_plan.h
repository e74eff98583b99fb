#pragma once

#include "kernels/communicator.h"

#include <filesystem>
#include <string>

namespace triaxis::rank
{

/// Whether this host sees the directory of the run.
bool reachesRun(const std::filesystem::path& directory);

/// Collective: the text of run.json, which rank 0 reads from the directory, or from standard input
/// where it does not reach it. Throws Error on every rank if rank 0 has neither.
std::string sharedDescription(const std::filesystem::path& directory, kernels::World& world);

} // namespace triaxis::rank
