#pragma once

#include "kernels/communicator.h"
#include "kernels/device.h"

#include <cstdio>
#include <string>

namespace triaxis::rank
{

/// What a job of ranks measures.
enum class CalibrationPart {
    Compute,  ///< every operation of the runtime, all ranks at the same time
    Messages, ///< all-reduces of all ranks and messages between pairs of them
    Pace      ///< how fast the cores go now, moment after moment
};
const char* toText(CalibrationPart part); ///< "compute", "messages", "pace"

/// Measures the machine once with the threads and the number of ranks of this job. Collective. Rank
/// 0 prints to `out`: a line {"measuring": WHAT, "done": SHARE} now and then, and in the end a
/// calibration as toJson() of MachineCalibration gives it. `quick`: a coarse grid. After `most`
/// seconds every further point takes as few calls as it can, and the result counts these points.
void calibrate(kernels::World& world, kernels::Device& device, int threads, CalibrationPart part,
               bool quick, double most, std::FILE* out);

} // namespace triaxis::rank
