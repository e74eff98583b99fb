#pragma once

#include "kernels/communicator.h"
#include "kernels/gpu.h"

#include <filesystem>
#include <string>

namespace triaxis::gpu_check
{

/// What the program was asked for.
struct Request
{
    kernels::GpuKind kind = kernels::GpuKind::Cuda;
    std::string part;           ///< "twins", "golden", "kernels", "step"
    std::string what;           ///< golden: the folder of a case; step: a model
    std::string layout = "111"; ///< golden: sizes of the data, tensor and pipeline axes
    int steps = 10;
    kernels::GpuPrecision precision = kernels::GpuPrecision::Float32;
};

/// Trains a reference case on the ranks of `world` and holds losses (1e-5) and gradient norms
/// (1e-4) of each step to it. 0 if they agree; only rank 0 says so. Throws Error and DeviceError.
int golden(const Request& request, kernels::World& world);

/// Times of single operations, a JSON object a line: {"what", "seconds", "rate", "unit"}.
int kernelFigures(kernels::GpuRank& rank, bool small);

/// Time of a training step of a model, and its share of the rate of the matrix products; likewise.
int stepFigures(const Request& request, kernels::World& world);

} // namespace triaxis::gpu_check
