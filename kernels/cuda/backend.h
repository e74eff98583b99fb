#pragma once

#include "kernels/gpu.h"

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

// See kernels/gpu.h.
GpuSurvey survey();
GpuRank makeRank(const GpuOptions& options, World& hosts);

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
