#pragma once

#include "kernels/communicator.h"

#include <cstdio>
#include <filesystem>

namespace triaxis::rank
{

/// Takes part in the run: makes the device, the record and the status file of this rank and trains.
/// Where this host does not reach the directory, plan and records travel through rank 0 and `out`.
/// Throws Error; a fault that came up during the training is in the record by then.
void runRank(const std::filesystem::path& directory, kernels::World& world, std::FILE* out);

} // namespace triaxis::rank
