#include "engine/cost/gemm.h"

#include <algorithm>

namespace triaxis
{

double bytesOf(NumberFormat format)
{
    switch (format) {
    case NumberFormat::Fp32:
    case NumberFormat::Tf32:
        return 4;
    case NumberFormat::Fp16:
    case NumberFormat::Bf16:
        return 2;
    case NumberFormat::Fp8:
        return 1;
    case NumberFormat::Fp4:
        return 0.5;
    }
    return 2;
}

double gemmSeconds(const DeviceSpec& device, double m, double n, double k, NumberFormat format)
{
    const double arithmetic = 2 * m * n * k / device.peakOf(format);
    const double bytes = bytesOf(format) * (m * k + k * n) + 2 * m * n;
    return std::max(arithmetic, bytes / device.memoryBandwidth);
}

double attentionSeconds(const DeviceSpec& device, double heads, double sequence, double headSize,
                        bool causal, bool backward, NumberFormat format)
{
    const double products = backward ? 5 : 2;
    const double share = causal ? 0.5 : 1.0;
    const double flops = 2 * products * share * heads * sequence * sequence * headSize;
    const double bytes = bytesOf(format) * heads * sequence * headSize * (backward ? 8 : 4);
    return std::max(flops / device.peakOf(format), bytes / device.memoryBandwidth);
}

} // namespace triaxis
