#include "kernels/cpu/cpu_device.h"

#include <algorithm>

namespace triaxis::kernels::cpu
{

void CpuDevice::embeddingForward(Stream&, float* y, const std::int32_t* tokens, const float* table,
                                 const float* position, std::int64_t rows, std::int64_t time,
                                 std::int64_t width, std::int64_t firstEntry, std::int64_t entries)
{
    forRange(rows, width, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            const std::int64_t entry = tokens[r] - firstEntry;
            float* const to = y + r * width;
            if (entry >= 0 && entry < entries)
                std::copy_n(table + entry * width, width, to);
            else
                std::fill_n(to, width, 0.0f);
            if (position)
                m_kernels.add(to, position + r % time * width, width);
        }
    });
}

void CpuDevice::embeddingBackward(Stream&, float* dTable, float* dPosition, const float* dY,
                                  const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                                  std::int64_t width, std::int64_t firstEntry, std::int64_t entries)
{
    // By columns, so that a token or position that comes twice is added in row order.
    constexpr std::int64_t columns = 128;
    m_pool.runRanges(width, columns, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t r = 0; r < rows; ++r) {
            const float* const from = dY + r * width + begin;
            const std::int64_t entry = tokens[r] - firstEntry;
            if (dTable && entry >= 0 && entry < entries)
                m_kernels.add(dTable + entry * width + begin, from, end - begin);
            if (dPosition)
                m_kernels.add(dPosition + r % time * width + begin, from, end - begin);
        }
    });
}

} // namespace triaxis::kernels::cpu
