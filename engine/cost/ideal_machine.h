#pragma once

#include "engine/cost/machine_calibration.h"

namespace triaxis
{

/// A machine whose work takes no time worth a mention, with `cores` of them: what is left of a
/// paced run on it are its slots and links.
MachineCalibration idealMachine(int cores);

} // namespace triaxis
