#pragma once

#include "kernels/device.h"

#include <QByteArray>
#include <QTest>

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace triaxis::kernels::test
{

using Floats = std::vector<float>;
using Doubles = std::vector<double>;

/// Rows of initTestCase_data: every level of instruction set that this processor has, with one and
/// two threads.
void addDeviceRows();
/// The device of the global row that is running.
std::unique_ptr<Device> deviceOfRow();

/// Even numbers in [low, high), the same for the same seed.
Floats randomFloats(std::int64_t count, std::uint64_t seed, double low = -1, double high = 1);
Doubles widened(const Floats& values);

/// Empty if every |actual − expected| is at most tolerance·(|expected| + root mean square of
/// expected); else the worst element.
QByteArray difference(const float* actual, const Doubles& expected, double tolerance);
inline QByteArray difference(const Floats& actual, const Doubles& expected, double tolerance)
{
    return difference(actual.data(), expected, tolerance);
}

/// ∂f/∂x[i] by central differences in double.
double slope(const std::function<double(const Doubles&)>& f, Doubles x, std::size_t i);
Doubles gradient(const std::function<double(const Doubles&)>& f, const Doubles& x);

} // namespace triaxis::kernels::test

/// Fails with the worst element.
#define VERIFY_CLOSE(actual, expected, tolerance)                                                  \
    do {                                                                                           \
        const QByteArray worst = triaxis::kernels::test::difference(actual, expected, tolerance);  \
        QVERIFY2(worst.isEmpty(), (QByteArray(#actual ": ") + worst).constData());                 \
    } while (false)
