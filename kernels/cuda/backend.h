#pragma once

#include "kernels/gpu/backend.h"

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

GpuBackend backend();

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
