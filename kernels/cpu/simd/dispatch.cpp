#include "kernels/cpu/simd/kernel_table.h"

namespace triaxis::kernels::cpu
{

const KernelTable* kernelTable(SimdLevel level)
{
    switch (level) {
    case SimdLevel::Baseline:
        return &baselineKernels();
    case SimdLevel::Avx2:
#ifdef TRIAXIS_X86
        if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
            return &avx2Kernels();
#endif
        return nullptr;
    case SimdLevel::Avx512:
#ifdef TRIAXIS_X86
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))
            return &avx512Kernels();
#endif
        return nullptr;
    }
    return nullptr;
}

SimdLevel bestSimdLevel()
{
    if (kernelTable(SimdLevel::Avx512))
        return SimdLevel::Avx512;
    return kernelTable(SimdLevel::Avx2) ? SimdLevel::Avx2 : SimdLevel::Baseline;
}

} // namespace triaxis::kernels::cpu
