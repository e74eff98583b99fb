#define TRIAXIS_SIMD simd_avx512
#define TRIAXIS_SIMD_WIDTH 16
#include "kernels/cpu/simd/level.h"

namespace triaxis::kernels::cpu
{

const KernelTable& avx512Kernels()
{
    static constexpr KernelTable table = simd_avx512::makeTable("AVX-512");
    return table;
}

} // namespace triaxis::kernels::cpu
