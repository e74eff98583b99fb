#include "kernels/cpu/cpu_device.h"

#include <algorithm>
#include <cmath>

namespace triaxis::kernels::cpu
{

void CpuDevice::rowMaximum(Stream&, float* maximum, const float* logits, std::int64_t rows,
                           std::int64_t entries, std::int64_t stride)
{
    forRange(rows, entries, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r)
            maximum[r] = m_kernels.maximum(logits + r * stride, entries);
    });
}

void CpuDevice::exponentialSums(Stream&, float* sums, float* logits, const float* maximum,
                                const std::int32_t* targets, std::int64_t rows,
                                std::int64_t entries, std::int64_t stride, std::int64_t firstEntry)
{
    forRange(rows, 2 * entries, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            float* const row = logits + r * stride;
            const std::int64_t target = targets[r] - firstEntry;
            const bool isHere = target >= 0 && target < entries;
            sums[2 * r + 1] = isHere ? row[target] - maximum[r] : 0.0f;
            sums[2 * r] = static_cast<float>(m_kernels.exponentials(row, maximum[r], entries));
        }
    });
}

void CpuDevice::addCrossEntropySum(Stream&, double* to, const float* sums, std::int64_t rows)
{
    double total = 0;
    for (std::int64_t r = 0; r < rows; ++r)
        total += std::log(double(sums[2 * r])) - double(sums[2 * r + 1]);
    *to += total;
}

void CpuDevice::crossEntropyGradient(Stream&, float* logits, const float* sums,
                                     const std::int32_t* targets, float factor, std::int64_t rows,
                                     std::int64_t entries, std::int64_t stride,
                                     std::int64_t firstEntry)
{
    forRange(rows, stride, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            float* const row = logits + r * stride;
            const std::int64_t target = targets[r] - firstEntry;
            m_kernels.scale(row, factor / sums[2 * r], entries);
            if (target >= 0 && target < entries)
                row[target] -= factor;
            std::fill(row + entries, row + stride, 0.0f);
        }
    });
}

} // namespace triaxis::kernels::cpu
