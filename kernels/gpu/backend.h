#pragma once

#include "kernels/gpu.h"

namespace triaxis::kernels
{

/// What a backend offers; see kernels/gpu.h.
struct GpuBackend
{
    GpuSurvey (*survey)();
    GpuRank (*makeRank)(const GpuOptions& options, World& hosts);
};

/// By this name a module that is loaded when it is needed gives its own.
inline constexpr const char* gpuBackendSymbol = "triaxisGpuBackend";

} // namespace triaxis::kernels
