#include "tests/kernels/device_fixture.h"

#include "kernels/cpu/cpu_device.h"

#include <cmath>
#include <random>

namespace triaxis::kernels::test
{

void addDeviceRows()
{
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("threads");
    using cpu::SimdLevel;
    for (const SimdLevel level : {SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512}) {
        const cpu::KernelTable* const kernels = cpu::kernelTable(level);
        for (int threads = 1; kernels && threads <= 2; ++threads)
            QTest::addRow("%s, %d threads", kernels->name, threads)
                << static_cast<int>(level) << threads;
    }
}

std::unique_ptr<Device> deviceOfRow()
{
    QFETCH_GLOBAL(int, level);
    QFETCH_GLOBAL(int, threads);
    CpuDeviceOptions options;
    options.threads = threads;
    return cpu::makeCpuDevice(options, static_cast<cpu::SimdLevel>(level));
}

Floats randomFloats(std::int64_t count, std::uint64_t seed, double low, double high)
{
    std::mt19937_64 generator(seed);
    std::uniform_real_distribution<double> numbers(low, high);
    Floats values(static_cast<std::size_t>(count));
    for (float& value : values)
        value = static_cast<float>(numbers(generator));
    return values;
}

Doubles widened(const Floats& values)
{
    return Doubles(values.begin(), values.end());
}

QByteArray difference(const float* actual, const Doubles& expected, double tolerance)
{
    double squares = 0;
    for (const double value : expected)
        squares += value * value;
    const double typical = std::sqrt(squares / static_cast<double>(expected.size()));
    double worst = 0;
    QByteArray message;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double share =
            std::abs(actual[i] - expected[i]) / (std::abs(expected[i]) + typical + 1e-30);
        if (share <= tolerance && share <= worst)
            continue;
        if (share > tolerance && (share > worst || std::isnan(share) || message.isEmpty()))
            message = "element " + QByteArray::number(qulonglong(i)) + " is " +
                      QByteArray::number(double(actual[i]), 'g', 9) + ", not " +
                      QByteArray::number(expected[i], 'g', 9);
        if (std::isnan(share))
            return "element " + QByteArray::number(qulonglong(i)) + " is no number";
        worst = std::max(worst, share);
    }
    return message;
}

double slope(const std::function<double(const Doubles&)>& f, Doubles x, std::size_t i)
{
    constexpr double step = 1e-5;
    const double at = x[i];
    x[i] = at + step;
    const double above = f(x);
    x[i] = at - step;
    return (above - f(x)) / (2 * step);
}

Doubles gradient(const std::function<double(const Doubles&)>& f, const Doubles& x)
{
    Doubles slopes(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        slopes[i] = slope(f, x, i);
    return slopes;
}

} // namespace triaxis::kernels::test
