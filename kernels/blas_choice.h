#pragma once

#include <string>

namespace triaxis::kernels
{

/// Which BLAS kernel this processor deserves, where the library's own detection does not know the
/// processor and falls back to a kernel of twenty years ago (OpenBLAS 0.3.21 takes a Xeon of 2023
/// for a Prescott, at a sixth of the speed or less).
///
/// Empty if nothing should be changed: a preset OPENBLAS_CORETYPE always wins (it may be there
/// because another kernel is wrong on that processor), and a kernel that uses the processor's
/// vector units is left alone.
std::string betterBlasKernel(const std::string& detected, const char* preset, bool avx512,
                             bool avx2);

/// Call first in main(), before any thread and before MPI. OpenBLAS reads its setting when it is
/// loaded, so where betterBlasKernel() has an answer the program starts itself anew with
/// OPENBLAS_CORETYPE set. The new kernel is then held against plain sums on odd shapes; if it
/// computes anything else, the program starts once more with the detected kernel.
void chooseBlasKernel(char** argv);

/// The kernel that the library detected by itself before chooseBlasKernel() changed it; empty if it
/// changed nothing.
std::string detectedBlasKernel();

} // namespace triaxis::kernels
