#pragma once

#include "kernels/device.h"

#include <string>

namespace triaxis::kernels::cpu
{

/// "OpenBLAS 0.3.21, kernel SkylakeX (set by OPENBLAS_CORETYPE)"
std::string blasName();

/// Our own threads divide the products, so the library itself works on the thread that calls.
void setBlasToCallersThread();

/// Throws DeviceError for sizes the library cannot hold.
void checkSizes(const Gemm& product);

/// One product of checked sizes, on this thread.
void multiply(const Gemm& product);

} // namespace triaxis::kernels::cpu
