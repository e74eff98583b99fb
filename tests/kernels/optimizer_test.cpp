#include "tests/kernels/device_fixture.h"

#include <cmath>
#include <limits>

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

class OptimizerTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void init();
    void sumsSquares();
    void clippingNeverEnlarges();
    void sumsSquaresAlikeForAnyNumberOfThreads();
    void findsWhatIsNotFinite();
    void stepsLikeAdamW();

private:
    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
};

void OptimizerTest::init()
{
    m_device = deviceOfRow();
    m_stream = m_device->makeStream();
}

void OptimizerTest::sumsSquares()
{
    for (const std::int64_t count : {0, 1, 15, 17, 1000, 100003}) {
        const Floats x = randomFloats(count, 1, -5, 5);
        double expected = 0;
        for (const float value : x)
            expected += double(value) * double(value);
        const double sum = m_device->sumOfSquares(*m_stream, x.data(), count);
        QVERIFY(std::abs(sum - expected) <= 1e-13 * expected);
    }
    const Floats large(100, 1e25f);
    QVERIFY(std::abs(m_device->sumOfSquares(*m_stream, large.data(), 100) / 1e52 - 1) < 1e-6);
}

void OptimizerTest::clippingNeverEnlarges()
{
    const auto factorFor = [&](double norm, double clipNorm) {
        const double squared = norm * norm;
        float factor = 0;
        m_device->clipFactor(*m_stream, &factor, &squared, clipNorm);
        return factor;
    };
    QCOMPARE(factorFor(0.5, 1.0), 1.0f);
    QCOMPARE(factorFor(4.0, 0.0), 1.0f);
    QCOMPARE(factorFor(0.0, 1.0), 1.0f);
    QCOMPARE(factorFor(4.0, 1.0), float(1.0 / (4.0 + 1e-6)));
    const double infinite = std::numeric_limits<double>::infinity();
    QVERIFY(std::isnan(factorFor(infinite, 1.0)) && std::isnan(factorFor(infinite, 0.0)));
    // Nothing is updated then.
    const float none = factorFor(infinite, 1.0), gradient = 2;
    float weight = 3, m = 1, v = 1;
    AdamW step;
    step.learningRate = 0.1f;
    step.gradientScaleAt = &none;
    m_device->adamW(*m_stream, &weight, &m, &v, &gradient, step, 1);
    QCOMPARE(weight, 3.0f);
    QCOMPARE(m, 1.0f);
}

void OptimizerTest::sumsSquaresAlikeForAnyNumberOfThreads()
{
    const Floats x = randomFloats(200001, 1);
    double sums[2];
    for (int threads = 1; threads <= 2; ++threads) {
        CpuDeviceOptions options;
        options.threads = threads;
        sums[threads - 1] =
            makeCpuDevice(options)->sumOfSquares(*m_stream, x.data(), std::int64_t(x.size()));
    }
    QVERIFY(sums[0] == sums[1]);
}

void OptimizerTest::findsWhatIsNotFinite()
{
    Floats x = randomFloats(70001, 1, -1e38, 1e38);
    const auto count = std::int64_t(x.size());
    QVERIFY(m_device->allFinite(*m_stream, x.data(), count));
    QVERIFY(m_device->allFinite(*m_stream, x.data(), 0));
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN()})
        for (const std::size_t where : {std::size_t(0), std::size_t(33333), std::size_t(70000)}) {
            const float good = x[where];
            x[where] = bad;
            QVERIFY(!m_device->allFinite(*m_stream, x.data(), count));
            x[where] = good;
        }
}

void OptimizerTest::stepsLikeAdamW()
{
    for (const std::int64_t count : {1, 31, 70003}) {
        const auto size = std::size_t(count);
        Floats weight = randomFloats(count, 1), m(size, 0.0f), v(size, 0.0f);
        Doubles weight2 = widened(weight), m2(size, 0.0), v2(size, 0.0);
        AdamW step;
        step.learningRate = 0.01f;
        step.beta1 = 0.9f;
        step.beta2 = 0.95f;
        step.epsilon = 1e-8f;
        step.weightDecay = 0.1f;
        step.gradientScale = 0.5f;
        const double b1 = double(step.beta1), b2 = double(step.beta2),
                     lr = double(step.learningRate);
        for (step.step = 1; step.step <= 5; ++step.step) {
            const Floats gradient = randomFloats(count, std::uint64_t(10 + step.step), -2, 2);
            m_device->adamW(*m_stream, weight.data(), m.data(), v.data(), gradient.data(), step,
                            count);
            for (std::size_t i = 0; i < size; ++i) {
                const double g = 0.5 * double(gradient[i]);
                m2[i] = b1 * m2[i] + (1 - b1) * g;
                v2[i] = b2 * v2[i] + (1 - b2) * g * g;
                const double first = m2[i] / (1 - std::pow(b1, double(step.step)));
                const double second = v2[i] / (1 - std::pow(b2, double(step.step)));
                weight2[i] -= lr * (first / (std::sqrt(second) + double(step.epsilon)) +
                                    double(step.weightDecay) * weight2[i]);
            }
        }
        VERIFY_CLOSE(m, m2, 2e-6);
        VERIFY_CLOSE(v, v2, 2e-6);
        VERIFY_CLOSE(weight, weight2, 1e-6);
    }
}

QTEST_APPLESS_MAIN(OptimizerTest)
#include "optimizer_test.moc"
