#include "tests/kernels/device_fixture.h"

#include <cmath>
#include <random>

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

namespace
{

struct Shape
{
    std::int64_t batch, time;
    int heads, kvHeads, headSize;
};

/// One matrix [batch·time, stride] with q, k and v side by side, as a fused projection leaves it.
struct Fused
{
    explicit Fused(const Shape& s)
        : shape(s), stride((s.heads + 2 * s.kvHeads) * s.headSize + 5),
          outStride(s.heads * s.headSize + 2)
    {
    }
    std::int64_t size() const { return shape.batch * shape.time * stride; }
    std::int64_t outSize() const { return shape.batch * shape.time * outStride; }
    std::int64_t sums() const { return shape.batch * shape.heads * shape.time; }
    std::int64_t kAt() const { return std::int64_t(shape.heads) * shape.headSize; }
    std::int64_t vAt() const { return std::int64_t(shape.heads + shape.kvHeads) * shape.headSize; }
    std::int64_t row(std::int64_t b, std::int64_t t) const { return b * shape.time + t; }

    Attention describe(const Floats& qkv) const
    {
        Attention a;
        a.batch = shape.batch;
        a.time = shape.time;
        a.heads = shape.heads;
        a.kvHeads = shape.kvHeads;
        a.headSize = shape.headSize;
        a.scale = scale();
        a.q = qkv.data();
        a.k = qkv.data() + kAt();
        a.v = qkv.data() + vAt();
        a.qStride = a.kvStride = stride;
        a.outStride = outStride;
        return a;
    }
    float scale() const { return 1.0f / std::sqrt(float(shape.headSize)); }

    Shape shape;
    std::int64_t stride, outStride;
};

struct Result
{
    Doubles out, logSumExp;
};

Result reference(const Fused& f, const Doubles& qkv)
{
    const Shape& s = f.shape;
    Result result{Doubles(std::size_t(f.outSize())), Doubles(std::size_t(f.sums()))};
    const auto at = [&](std::int64_t b, std::int64_t t, std::int64_t offset) {
        return qkv.data() + f.row(b, t) * f.stride + offset;
    };
    for (std::int64_t b = 0; b < s.batch; ++b)
        for (std::int64_t h = 0; h < s.heads; ++h)
            for (std::int64_t t = 0; t < s.time; ++t) {
                const std::int64_t kvHead = h / (s.heads / s.kvHeads);
                const double* const q = at(b, t, h * s.headSize);
                Doubles weights(std::size_t(t + 1));
                double sum = 0;
                for (std::int64_t u = 0; u <= t; ++u) {
                    const double* const k = at(b, u, f.kAt() + kvHead * s.headSize);
                    double score = 0;
                    for (int d = 0; d < s.headSize; ++d)
                        score += q[d] * k[d];
                    sum += weights[std::size_t(u)] = std::exp(score * double(f.scale()));
                }
                double* const out = result.out.data() + f.row(b, t) * f.outStride + h * s.headSize;
                for (std::int64_t u = 0; u <= t; ++u)
                    for (int d = 0; d < s.headSize; ++d)
                        out[d] += weights[std::size_t(u)] / sum *
                                  at(b, u, f.vAt() + kvHead * s.headSize)[d];
                result.logSumExp[std::size_t((b * s.heads + h) * s.time + t)] = std::log(sum);
            }
    return result;
}

/// Gradient of Σ dOut·out by the chain rule, with the whole matrix of weights, in double.
Doubles referenceGradient(const Fused& f, const Doubles& qkv, const Doubles& dOut)
{
    const Shape& s = f.shape;
    const Result forward = reference(f, qkv);
    Doubles gradient(qkv.size());
    for (std::int64_t b = 0; b < s.batch; ++b)
        for (std::int64_t h = 0; h < s.heads; ++h)
            for (std::int64_t t = 0; t < s.time; ++t) {
                const std::int64_t kv = h / (s.heads / s.kvHeads) * s.headSize;
                const std::int64_t q = f.row(b, t) * f.stride + h * s.headSize;
                const std::int64_t o = f.row(b, t) * f.outStride + h * s.headSize;
                double mean = 0;
                for (int d = 0; d < s.headSize; ++d)
                    mean += dOut[std::size_t(o + d)] * forward.out[std::size_t(o + d)];
                for (std::int64_t u = 0; u <= t; ++u) {
                    const std::int64_t k = f.row(b, u) * f.stride + f.kAt() + kv;
                    const std::int64_t v = f.row(b, u) * f.stride + f.vAt() + kv;
                    double score = 0, dP = 0;
                    for (int d = 0; d < s.headSize; ++d) {
                        score += qkv[std::size_t(q + d)] * qkv[std::size_t(k + d)];
                        dP += dOut[std::size_t(o + d)] * qkv[std::size_t(v + d)];
                    }
                    const double p =
                        std::exp(score * double(f.scale()) -
                                 forward.logSumExp[std::size_t((b * s.heads + h) * s.time + t)]);
                    const double dScore = p * (dP - mean) * double(f.scale());
                    for (int d = 0; d < s.headSize; ++d) {
                        gradient[std::size_t(q + d)] += dScore * qkv[std::size_t(k + d)];
                        gradient[std::size_t(k + d)] += dScore * qkv[std::size_t(q + d)];
                        gradient[std::size_t(v + d)] += p * dOut[std::size_t(o + d)];
                    }
                }
            }
    return gradient;
}

} // namespace

class AttentionTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void init();
    void forward_data() { addShapes(); }
    void forward();
    void backward_data() { addShapes(); }
    void backward();
    void gradientIsTheSlope();
    void largeScoresStayFinite();
    void isTheSameForAnyNumberOfThreads();

private:
    static void addShapes();

    std::unique_ptr<Device> m_device;
    std::unique_ptr<Stream> m_stream;
};

void AttentionTest::init()
{
    m_device = deviceOfRow();
    m_stream = m_device->makeStream();
}

void AttentionTest::addShapes()
{
    QTest::addColumn<Shape>("shape");
    const Shape shapes[] = {{1, 1, 1, 1, 4},   {2, 5, 2, 1, 3},    {1, 64, 2, 2, 64},
                            {3, 65, 4, 2, 20}, {1, 127, 6, 1, 33}, {2, 130, 2, 2, 128},
                            {1, 200, 3, 3, 80}};
    for (const Shape& s : shapes)
        QTest::addRow("batch %lld, time %lld, heads %d/%d of %d", (long long)s.batch,
                      (long long)s.time, s.heads, s.kvHeads, s.headSize)
            << s;
}

void AttentionTest::forward()
{
    QFETCH(Shape, shape);
    const Fused f(shape);
    const Floats qkv = randomFloats(f.size(), 1, -2, 2);
    const Floats before = randomFloats(f.outSize(), 2);
    Floats out = before, sums(std::size_t(f.sums()));
    m_device->attentionForward(*m_stream, f.describe(qkv), out.data(), sums.data());
    Result expected = reference(f, widened(qkv));
    // What lies between the rows stays.
    for (std::int64_t row = 0; row < shape.batch * shape.time; ++row)
        for (std::int64_t i = shape.heads * shape.headSize; i < f.outStride; ++i)
            expected.out[std::size_t(row * f.outStride + i)] =
                double(before[std::size_t(row * f.outStride + i)]);
    VERIFY_CLOSE(out, expected.out, 3e-6);
    VERIFY_CLOSE(sums, expected.logSumExp, 1e-6);
}

void AttentionTest::backward()
{
    QFETCH(Shape, shape);
    const Fused f(shape);
    const Floats qkv = randomFloats(f.size(), 1, -2, 2), dOut = randomFloats(f.outSize(), 2);
    Floats out(dOut.size()), sums(std::size_t(f.sums())), gradient(qkv.size(), 0.0f);
    // Written, not added to: whatever was there goes.
    for (std::int64_t row = 0; row < shape.batch * shape.time; ++row)
        for (std::int64_t i = 0; i < (shape.heads + 2 * shape.kvHeads) * shape.headSize; ++i)
            gradient[std::size_t(row * f.stride + i)] = 99;
    const Attention a = f.describe(qkv);
    m_device->attentionForward(*m_stream, a, out.data(), sums.data());
    m_device->attentionBackward(*m_stream, a, gradient.data(), gradient.data() + f.kAt(),
                                gradient.data() + f.vAt(), dOut.data(), out.data(), sums.data());
    VERIFY_CLOSE(gradient, referenceGradient(f, widened(qkv), widened(dOut)), 2e-5);
}

void AttentionTest::gradientIsTheSlope()
{
    // Holds the reference above, and with it the device, against differences of the forward alone.
    const Fused f({1, 70, 4, 2, 6});
    const Floats qkv = randomFloats(f.size(), 1, -2, 2), dOut = randomFloats(f.outSize(), 2);
    Floats out(dOut.size()), sums(std::size_t(f.sums())), gradient(qkv.size(), 0.0f);
    const Attention a = f.describe(qkv);
    m_device->attentionForward(*m_stream, a, out.data(), sums.data());
    m_device->attentionBackward(*m_stream, a, gradient.data(), gradient.data() + f.kAt(),
                                gradient.data() + f.vAt(), dOut.data(), out.data(), sums.data());
    const auto loss = [&](const Doubles& x) {
        const Doubles y = reference(f, x).out;
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i)
            sum += y[i] * double(dOut[i]);
        return sum;
    };
    std::mt19937 generator(7);
    std::uniform_int_distribution<std::size_t> anyElement(0, qkv.size() - 1);
    Floats picked;
    Doubles slopes;
    for (int i = 0; i < 60; ++i) {
        const std::size_t element = anyElement(generator);
        picked.push_back(gradient[element]);
        slopes.push_back(slope(loss, widened(qkv), element));
    }
    VERIFY_CLOSE(picked, slopes, 2e-5);
}

void AttentionTest::largeScoresStayFinite()
{
    const Fused f({1, 150, 1, 1, 16});
    const Floats qkv = randomFloats(f.size(), 1, -60, 60), dOut = randomFloats(f.outSize(), 2);
    Floats out(dOut.size()), sums(std::size_t(f.sums())), gradient(qkv.size(), 0.0f);
    const Attention a = f.describe(qkv);
    m_device->attentionForward(*m_stream, a, out.data(), sums.data());
    m_device->attentionBackward(*m_stream, a, gradient.data(), gradient.data() + f.kAt(),
                                gradient.data() + f.vAt(), dOut.data(), out.data(), sums.data());
    QVERIFY(m_device->allFinite(*m_stream, out.data(), std::int64_t(out.size())));
    QVERIFY(m_device->allFinite(*m_stream, sums.data(), std::int64_t(sums.size())));
    QVERIFY(m_device->allFinite(*m_stream, gradient.data(), std::int64_t(gradient.size())));
}

void AttentionTest::isTheSameForAnyNumberOfThreads()
{
    const Fused f({3, 130, 4, 2, 20});
    const Floats qkv = randomFloats(f.size(), 1, -2, 2), dOut = randomFloats(f.outSize(), 2);
    Floats results[2];
    for (int threads = 1; threads <= 2; ++threads) {
        CpuDeviceOptions options;
        options.threads = threads;
        const auto device = makeCpuDevice(options);
        Floats out(dOut.size()), sums(std::size_t(f.sums())), gradient(qkv.size(), 0.0f);
        const Attention a = f.describe(qkv);
        device->attentionForward(*m_stream, a, out.data(), sums.data());
        device->attentionBackward(*m_stream, a, gradient.data(), gradient.data() + f.kAt(),
                                  gradient.data() + f.vAt(), dOut.data(), out.data(), sums.data());
        results[threads - 1] = gradient;
    }
    QCOMPARE(results[0], results[1]);
}

QTEST_APPLESS_MAIN(AttentionTest)
#include "attention_test.moc"
