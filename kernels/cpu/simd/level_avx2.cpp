#define TRIAXIS_SIMD simd_avx2
#define TRIAXIS_SIMD_WIDTH 8
#include "kernels/cpu/simd/level.h"

namespace triaxis::kernels::cpu
{

const KernelTable& avx2Kernels()
{
    static constexpr KernelTable table = simd_avx2::makeTable("AVX2");
    return table;
}

} // namespace triaxis::kernels::cpu
