#define TRIAXIS_SIMD simd_baseline
#define TRIAXIS_SIMD_WIDTH 4
#include "kernels/cpu/simd/level.h"

namespace triaxis::kernels::cpu
{

const KernelTable& baselineKernels()
{
    static constexpr KernelTable table = simd_baseline::makeTable("baseline");
    return table;
}

} // namespace triaxis::kernels::cpu
