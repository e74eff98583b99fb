#pragma once

#include "kernels/gpu.h"

namespace triaxis::kernels
{

/// Adds what NVIDIA's management library knows of the GPUs found: their clocks, and how each pair
/// is linked. The library comes with the driver and is loaded by name; without it, or where it does
/// not answer, nothing is added and linkProblem says why.
void addManagementFacts(GpuSurvey& survey, const char* library = "libnvidia-ml.so.1");

} // namespace triaxis::kernels
