#pragma once

#include "engine/record/run_directory.h"
#include "kernels/communicator.h"

namespace triaxis::rank
{

/// Takes part in the run: makes the device, the record and the status file of this rank and trains.
/// Throws Error; a fault that came up during the training is in the record by then.
void runRank(const RunDirectory& run, kernels::World& world);

} // namespace triaxis::rank
