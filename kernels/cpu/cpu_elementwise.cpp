#include "kernels/cpu/cpu_device.h"

#include <cmath>

namespace triaxis::kernels::cpu
{

void CpuDevice::add(Stream&, float* to, const float* from, std::int64_t count)
{
    forRange(count, 1, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.add(to + begin, from + begin, end - begin);
    });
}

void CpuDevice::scale(Stream&, float* values, float factor, std::int64_t count)
{
    forRange(count, 1, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.scale(values + begin, factor, end - begin);
    });
}

void CpuDevice::addBias(Stream&, float* y, const float* bias, std::int64_t rows, std::int64_t width)
{
    forRange(rows, width, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.addBias(y + begin * width, bias, end - begin, width);
    });
}

void CpuDevice::biasGradient(Stream&, float* dBias, const float* dY, std::int64_t rows,
                             std::int64_t width)
{
    // By columns, each summed in row order.
    constexpr std::int64_t columns = 128;
    m_pool.runRanges(width, columns, [&](std::int64_t begin, std::int64_t end, int) {
        m_kernels.sumRows(dBias + begin, dY + begin, width, rows, end - begin);
    });
}

void CpuDevice::addResidual(Stream&, float* x, const float* branch, const float* bias,
                            std::int64_t rows, std::int64_t width)
{
    forRange(rows, width, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.addResidual(x + begin * width, branch + begin * width, bias, end - begin, width);
    });
}

void CpuDevice::geluForward(Stream&, float* y, float* x, const float* bias, std::int64_t rows,
                            std::int64_t width)
{
    forRange(rows, 2 * width, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.geluForward(y + begin * width, x + begin * width, bias, end - begin, width);
    });
}

void CpuDevice::geluBackward(Stream&, float* dX, const float* dY, const float* x,
                             std::int64_t count)
{
    forRange(count, 2, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.geluBackward(dX + begin, dY + begin, x + begin, end - begin);
    });
}

void CpuDevice::swigluForward(Stream&, float* y, const float* gate, const float* up,
                              std::int64_t count)
{
    forRange(count, 2, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.swigluForward(y + begin, gate + begin, up + begin, end - begin);
    });
}

void CpuDevice::swigluBackward(Stream&, float* dGate, float* dUp, const float* dY,
                               const float* gate, const float* up, std::int64_t count)
{
    forRange(count, 2, [&](std::int64_t begin, std::int64_t end) {
        m_kernels.swigluBackward(dGate + begin, dUp + begin, dY + begin, gate + begin, up + begin,
                                 end - begin);
    });
}

void CpuDevice::rope(Stream&, float* x, std::int64_t stride, std::int64_t rows, std::int64_t time,
                     int heads, int headSize, float theta, bool inverse)
{
    const RotaryTable& table = rotaryTable(time, headSize, theta);
    const std::int64_t half = headSize / 2;
    const float sign = inverse ? -1.0f : 1.0f;
    forRange(rows, std::int64_t(heads) * headSize, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            const std::int64_t angle = r % time * half;
            for (std::int64_t head = 0; head < heads; ++head)
                m_kernels.rotate(x + r * stride + head * headSize, table.cosines.data() + angle,
                                 table.sines.data() + angle, sign, half);
        }
    });
}

/// Angle of pair i at position t: t·theta^(−2i / headSize) (Su et al., "RoFormer", section 3.2).
const CpuDevice::RotaryTable& CpuDevice::rotaryTable(std::int64_t time, int headSize, float theta)
{
    const auto [found, isNew] = m_rotary.try_emplace(RotaryKey(time, headSize, theta));
    RotaryTable& table = found->second;
    if (!isNew)
        return table;
    const std::int64_t half = headSize / 2;
    table.cosines.resize(static_cast<std::size_t>(time * half));
    table.sines.resize(static_cast<std::size_t>(time * half));
    for (std::int64_t i = 0; i < half; ++i) {
        const double frequency = std::pow(double(theta), -2.0 * double(i) / double(headSize));
        for (std::int64_t t = 0; t < time; ++t) {
            const auto at = static_cast<std::size_t>(t * half + i);
            table.cosines[at] = static_cast<float>(std::cos(double(t) * frequency));
            table.sines[at] = static_cast<float>(std::sin(double(t) * frequency));
        }
    }
    return table;
}

} // namespace triaxis::kernels::cpu
