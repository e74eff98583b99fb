#include "tests/kernels/device_fixture.h"

#include <cmath>

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

namespace
{

struct Shape
{
    std::int64_t rows, width;
    std::int64_t count() const { return rows * width; }
};

constexpr double epsilon = 1e-5;

/// y = (x − mean)·rstd·weight + bias by row; the mean is 0 for RMSNorm.
Doubles normalize(const Doubles& x, const Doubles& weight, const Doubles& bias, bool centered)
{
    const std::size_t width = weight.size();
    Doubles y(x.size());
    for (std::size_t row = 0; row < x.size(); row += width) {
        double mean = 0, square = 0;
        for (std::size_t i = 0; centered && i < width; ++i)
            mean += x[row + i] / double(width);
        for (std::size_t i = 0; i < width; ++i)
            square += (x[row + i] - mean) * (x[row + i] - mean) / double(width);
        for (std::size_t i = 0; i < width; ++i)
            y[row + i] = (x[row + i] - mean) / std::sqrt(square + epsilon) * weight[i] +
                         (bias.empty() ? 0 : bias[i]);
    }
    return y;
}

double dot(const Doubles& a, const Floats& b)
{
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += a[i] * double(b[i]);
    return sum;
}

void addTo(Doubles& to, const Floats& more)
{
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += double(more[i]);
}

} // namespace

class NormalizationTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void init();
    void layerNormForward_data() { addShapes(true); }
    void layerNormForward();
    void layerNormBackward_data() { addShapes(false); }
    void layerNormBackward();
    void layerNormFarFromZero();
    void rmsNormForward_data() { addShapes(true); }
    void rmsNormForward();
    void rmsNormBackward_data() { addShapes(false); }
    void rmsNormBackward();

private:
    static void addShapes(bool large);

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
};

void NormalizationTest::init()
{
    m_device = deviceOfRow();
    m_stream = m_device->makeStream();
}

void NormalizationTest::addShapes(bool large)
{
    QTest::addColumn<Shape>("shape");
    for (const Shape& s : {Shape{2, 5}, Shape{3, 7}, Shape{5, 16}, Shape{65, 21}, Shape{129, 773}})
        if (large || s.count() < 5000)
            QTest::addRow("%lldx%lld", (long long)s.rows, (long long)s.width) << s;
}

void NormalizationTest::layerNormForward()
{
    QFETCH(Shape, shape);
    const Floats x = randomFloats(shape.count(), 1, -2, 3), weight = randomFloats(shape.width, 2),
                 bias = randomFloats(shape.width, 3);
    Floats y(x.size()), mean(std::size_t(shape.rows)), rstd(mean.size());
    m_device->layerNormForward(*m_stream, y.data(), mean.data(), rstd.data(), x.data(),
                               weight.data(), bias.data(), float(epsilon), shape.rows, shape.width);
    VERIFY_CLOSE(y, normalize(widened(x), widened(weight), widened(bias), true), 2e-6);
}

void NormalizationTest::layerNormBackward()
{
    QFETCH(Shape, shape);
    const Floats x = randomFloats(shape.count(), 1, -2, 3), weight = randomFloats(shape.width, 2),
                 bias = randomFloats(shape.width, 3), dY = randomFloats(shape.count(), 4);
    const Floats dXBefore = randomFloats(shape.count(), 5),
                 dWeightBefore = randomFloats(shape.width, 6),
                 dBiasBefore = randomFloats(shape.width, 7);
    Floats y(x.size()), mean(std::size_t(shape.rows)), rstd(mean.size());
    Floats dX = dXBefore, dWeight = dWeightBefore, dBias = dBiasBefore;
    m_device->layerNormForward(*m_stream, y.data(), mean.data(), rstd.data(), x.data(),
                               weight.data(), bias.data(), float(epsilon), shape.rows, shape.width);
    m_device->layerNormBackward(*m_stream, dX.data(), dWeight.data(), dBias.data(), dY.data(),
                                x.data(), weight.data(), mean.data(), rstd.data(), shape.rows,
                                shape.width);
    const Doubles x2 = widened(x), weight2 = widened(weight), bias2 = widened(bias);
    Doubles expected =
        gradient([&](const Doubles& v) { return dot(normalize(v, weight2, bias2, true), dY); }, x2);
    addTo(expected, dXBefore);
    VERIFY_CLOSE(dX, expected, 5e-6);
    expected =
        gradient([&](const Doubles& v) { return dot(normalize(x2, v, bias2, true), dY); }, weight2);
    addTo(expected, dWeightBefore);
    VERIFY_CLOSE(dWeight, expected, 5e-6);
    expected =
        gradient([&](const Doubles& v) { return dot(normalize(x2, weight2, v, true), dY); }, bias2);
    addTo(expected, dBiasBefore);
    VERIFY_CLOSE(dBias, expected, 5e-6);
}

void NormalizationTest::layerNormFarFromZero()
{
    // The variance is taken around the mean, so a large mean costs no digits beyond those of the
    // input.
    const std::int64_t width = 333;
    const Floats x = randomFloats(width, 1, 999, 1001), weight(std::size_t(width), 1.0f),
                 bias(std::size_t(width), 0.0f);
    Floats y(x.size()), mean(1), rstd(1);
    m_device->layerNormForward(*m_stream, y.data(), mean.data(), rstd.data(), x.data(),
                               weight.data(), bias.data(), float(epsilon), 1, width);
    VERIFY_CLOSE(y, normalize(widened(x), widened(weight), widened(bias), true), 3e-4);
}

void NormalizationTest::rmsNormForward()
{
    QFETCH(Shape, shape);
    const Floats x = randomFloats(shape.count(), 1, -2, 3), weight = randomFloats(shape.width, 2);
    Floats y(x.size()), rstd(std::size_t(shape.rows));
    m_device->rmsNormForward(*m_stream, y.data(), rstd.data(), x.data(), weight.data(),
                             float(epsilon), shape.rows, shape.width);
    VERIFY_CLOSE(y, normalize(widened(x), widened(weight), {}, false), 1e-6);
}

void NormalizationTest::rmsNormBackward()
{
    QFETCH(Shape, shape);
    const Floats x = randomFloats(shape.count(), 1, -2, 3), weight = randomFloats(shape.width, 2),
                 dY = randomFloats(shape.count(), 4);
    const Floats dXBefore = randomFloats(shape.count(), 5),
                 dWeightBefore = randomFloats(shape.width, 6);
    Floats y(x.size()), rstd(std::size_t(shape.rows)), dX = dXBefore, dWeight = dWeightBefore;
    m_device->rmsNormForward(*m_stream, y.data(), rstd.data(), x.data(), weight.data(),
                             float(epsilon), shape.rows, shape.width);
    m_device->rmsNormBackward(*m_stream, dX.data(), dWeight.data(), dY.data(), x.data(),
                              weight.data(), rstd.data(), shape.rows, shape.width);
    const Doubles x2 = widened(x), weight2 = widened(weight);
    Doubles expected =
        gradient([&](const Doubles& v) { return dot(normalize(v, weight2, {}, false), dY); }, x2);
    addTo(expected, dXBefore);
    VERIFY_CLOSE(dX, expected, 5e-6);
    expected =
        gradient([&](const Doubles& v) { return dot(normalize(x2, v, {}, false), dY); }, weight2);
    addTo(expected, dWeightBefore);
    VERIFY_CLOSE(dWeight, expected, 5e-6);
}

QTEST_APPLESS_MAIN(NormalizationTest)
#include "normalization_test.moc"
