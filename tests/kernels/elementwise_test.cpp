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

double gelu(double x)
{
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)));
}

double silu(double x)
{
    return x / (1 + std::exp(-x));
}

double derivative(double (*f)(double), double x)
{
    return (f(x + 1e-5) - f(x - 1e-5)) / 2e-5;
}

} // namespace

class ElementwiseTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void init();
    void copiesAndFills();
    void addsAndScales_data() { addShapes(); }
    void addsAndScales();
    void addsBias_data() { addShapes(); }
    void addsBias();
    void sumsBiasGradient_data() { addShapes(); }
    void sumsBiasGradient();
    void addsResidual_data() { addShapes(); }
    void addsResidual();
    void gelu_data() { addShapes(); }
    void gelu();
    void geluOfExtremes();
    void geluBackwardInPlace();
    void swiglu_data() { addShapes(); }
    void swiglu();
    void rotatesHalves();
    void rotatesBack();

private:
    static void addShapes();

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
};

void ElementwiseTest::init()
{
    m_device = deviceOfRow();
    m_stream = m_device->makeStream();
}

void ElementwiseTest::addShapes()
{
    QTest::addColumn<Shape>("shape");
    for (const Shape& s : {Shape{1, 1}, Shape{3, 7}, Shape{5, 16}, Shape{33, 100}, Shape{129, 773}})
        QTest::addRow("%lldx%lld", (long long)s.rows, (long long)s.width) << s;
}

void ElementwiseTest::copiesAndFills()
{
    const Floats from = randomFloats(100003, 1);
    Floats to(from.size());
    m_device->copy(*m_stream, to.data(), from.data(), std::int64_t(from.size()));
    QCOMPARE(to, from);
    m_device->fill(*m_stream, to.data() + 1, 2.5f, std::int64_t(to.size()) - 2);
    QCOMPARE(to.front(), from.front());
    QCOMPARE(to.back(), from.back());
    QCOMPARE(Floats(to.begin() + 1, to.end() - 1), Floats(to.size() - 2, 2.5f));
    m_device->copyToDevice(*m_stream, to.data(), from.data(), from.size() * sizeof(float));
    QCOMPARE(to, from);
    m_device->fill(*m_stream, to.data(), 0, std::int64_t(to.size()));
    m_device->copyToHost(*m_stream, to.data(), from.data(), from.size() * sizeof(float));
    QCOMPARE(to, from);
}

void ElementwiseTest::addsAndScales()
{
    QFETCH(Shape, shape);
    const Floats from = randomFloats(shape.count(), 1);
    Floats to = randomFloats(shape.count(), 2);
    Doubles expected = widened(to);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] = (expected[i] + double(from[i])) * -0.375;
    m_device->add(*m_stream, to.data(), from.data(), shape.count());
    m_device->scale(*m_stream, to.data(), -0.375f, shape.count());
    VERIFY_CLOSE(to, expected, 1e-7);
}

void ElementwiseTest::addsBias()
{
    QFETCH(Shape, shape);
    const Floats bias = randomFloats(shape.width, 1);
    Floats y = randomFloats(shape.count(), 2);
    Doubles expected = widened(y);
    for (std::size_t i = 0; i < expected.size(); ++i)
        expected[i] += double(bias[i % bias.size()]);
    m_device->addBias(*m_stream, y.data(), bias.data(), shape.rows, shape.width);
    VERIFY_CLOSE(y, expected, 1e-7);
}

void ElementwiseTest::sumsBiasGradient()
{
    QFETCH(Shape, shape);
    const Floats dY = randomFloats(shape.count(), 1);
    Floats dBias = randomFloats(shape.width, 2);
    Doubles expected = widened(dBias);
    for (std::size_t i = 0; i < dY.size(); ++i)
        expected[i % dBias.size()] += double(dY[i]);
    m_device->biasGradient(*m_stream, dBias.data(), dY.data(), shape.rows, shape.width);
    VERIFY_CLOSE(dBias, expected, 2e-6);
}

void ElementwiseTest::addsResidual()
{
    QFETCH(Shape, shape);
    const Floats branch = randomFloats(shape.count(), 1), bias = randomFloats(shape.width, 2);
    for (const bool withBias : {false, true}) {
        Floats x = randomFloats(shape.count(), 3);
        Doubles expected = widened(x);
        for (std::size_t i = 0; i < expected.size(); ++i)
            expected[i] += double(branch[i]) + (withBias ? double(bias[i % bias.size()]) : 0.0);
        m_device->addResidual(*m_stream, x.data(), branch.data(), withBias ? bias.data() : nullptr,
                              shape.rows, shape.width);
        VERIFY_CLOSE(x, expected, 2e-7);
    }
}

void ElementwiseTest::gelu()
{
    QFETCH(Shape, shape);
    const Floats bias = randomFloats(shape.width, 2), dY = randomFloats(shape.count(), 4);
    for (const bool withBias : {false, true}) {
        Floats x = randomFloats(shape.count(), 3, -6, 6);
        Floats y(x.size()), dX(x.size());
        Doubles sum = widened(x), expected(x.size()), expectedDX(x.size());
        for (std::size_t i = 0; i < x.size(); ++i) {
            sum[i] += withBias ? double(bias[i % bias.size()]) : 0.0;
            expected[i] = ::gelu(sum[i]);
            expectedDX[i] = double(dY[i]) * derivative(::gelu, sum[i]);
        }
        m_device->geluForward(*m_stream, y.data(), x.data(), withBias ? bias.data() : nullptr,
                              shape.rows, shape.width);
        VERIFY_CLOSE(x, sum, 2e-7);
        VERIFY_CLOSE(y, expected, 1e-6);
        m_device->geluBackward(*m_stream, dX.data(), dY.data(), x.data(), shape.count());
        VERIFY_CLOSE(dX, expectedDX, 2e-6);
    }
}

void ElementwiseTest::geluOfExtremes()
{
    Floats x = {0, -0.0f, 1e-20f, -1e-20f, 20, -20, 1000, -1000, 1e30f, -1e15f, -1e30f};
    Floats y(x.size()), dX(x.size());
    const Floats dY(x.size(), 1.0f);
    m_device->geluForward(*m_stream, y.data(), x.data(), nullptr, 1, std::int64_t(x.size()));
    m_device->geluBackward(*m_stream, dX.data(), dY.data(), x.data(), 9);
    const Doubles expected = {0, 0, 5e-21, -5e-21, 20, 0, 1000, 0, 1e30, 0, 0};
    for (std::size_t i = 0; i < x.size(); ++i)
        QVERIFY2(std::abs(double(y[i]) - expected[i]) <= 1e-6 * std::abs(expected[i]) + 1e-30,
                 qPrintable(QString("gelu(%1) = %2").arg(double(x[i])).arg(double(y[i]))));
    const Doubles slopes = {0.5, 0.5, 0.5, 0.5, 1, 0, 1, 0};
    for (std::size_t i = 0; i < slopes.size(); ++i)
        QVERIFY2(std::abs(double(dX[i]) - slopes[i]) < 1e-6,
                 qPrintable(QString("gelu'(%1) = %2").arg(double(x[i])).arg(double(dX[i]))));
}

void ElementwiseTest::geluBackwardInPlace()
{
    const Floats x = randomFloats(1000, 1, -3, 3), dY = randomFloats(1000, 2);
    Floats apart(1000), inPlace = dY;
    m_device->geluBackward(*m_stream, apart.data(), dY.data(), x.data(), 1000);
    m_device->geluBackward(*m_stream, inPlace.data(), inPlace.data(), x.data(), 1000);
    QCOMPARE(inPlace, apart);
}

void ElementwiseTest::swiglu()
{
    QFETCH(Shape, shape);
    const Floats gate = randomFloats(shape.count(), 1, -8, 8), up = randomFloats(shape.count(), 2);
    const Floats dY = randomFloats(shape.count(), 3);
    Floats y(gate.size()), dGate(gate.size()), dUp(gate.size());
    Doubles expected(gate.size()), expectedDGate(gate.size()), expectedDUp(gate.size());
    for (std::size_t i = 0; i < gate.size(); ++i) {
        const double g = double(gate[i]), u = double(up[i]);
        expected[i] = silu(g) * u;
        expectedDGate[i] = double(dY[i]) * u * derivative(silu, g);
        expectedDUp[i] = double(dY[i]) * silu(g);
    }
    m_device->swigluForward(*m_stream, y.data(), gate.data(), up.data(), shape.count());
    m_device->swigluBackward(*m_stream, dGate.data(), dUp.data(), dY.data(), gate.data(), up.data(),
                             shape.count());
    VERIFY_CLOSE(y, expected, 1e-6);
    VERIFY_CLOSE(dGate, expectedDGate, 2e-6);
    VERIFY_CLOSE(dUp, expectedDUp, 1e-6);
}

void ElementwiseTest::rotatesHalves()
{
    const std::int64_t rows = 14, time = 7, heads = 3, size = 22, stride = 71;
    const double theta = 10000;
    Floats x = randomFloats(rows * stride, 1);
    Doubles expected = widened(x);
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t h = 0; h < heads; ++h)
            for (std::int64_t i = 0; i < size / 2; ++i) {
                const double angle =
                    double(r % time) * std::pow(theta, -2.0 * double(i) / double(size));
                const auto first = std::size_t(r * stride + h * size + i),
                           second = first + std::size_t(size / 2);
                const double a = double(x[first]), b = double(x[second]);
                expected[first] = a * std::cos(angle) - b * std::sin(angle);
                expected[second] = b * std::cos(angle) + a * std::sin(angle);
            }
    m_device->rope(*m_stream, x.data(), stride, rows, time, int(heads), int(size), float(theta),
                   false);
    VERIFY_CLOSE(x, expected, 5e-7);
}

void ElementwiseTest::rotatesBack()
{
    const std::int64_t rows = 300, time = 100, heads = 2, size = 64, stride = 128;
    const Floats original = randomFloats(rows * stride, 1);
    Floats x = original;
    m_device->rope(*m_stream, x.data(), stride, rows, time, int(heads), int(size), 500000.0f,
                   false);
    QVERIFY(x != original);
    m_device->rope(*m_stream, x.data(), stride, rows, time, int(heads), int(size), 500000.0f, true);
    VERIFY_CLOSE(x, widened(original), 1e-6);
}

QTEST_APPLESS_MAIN(ElementwiseTest)
#include "elementwise_test.moc"
