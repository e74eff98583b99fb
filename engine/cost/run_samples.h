#pragma once

#include "engine/cost/machine_calibration.h"

namespace triaxis
{

enum class RunKind { OneRank, WithinCores, BeyondCores };
RunKind runKind(int ranks, int cores);

/// How many times as long a run of so many ranks takes as all other samples say: the median over
/// the runs of its kind. Without one of its kind over all runs; 1 without any.
double runsOverSamples(const MachineCalibration& calibration, int ranks);

} // namespace triaxis
