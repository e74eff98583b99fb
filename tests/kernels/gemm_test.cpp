#include "kernels/error.h"
#include "tests/kernels/device_fixture.h"

#include <cstring>
#include <limits>

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

namespace
{

struct Shape
{
    std::int64_t m, n, k;
};

/// Elements of a matrix with a leading dimension of more than its width.
std::int64_t leading(std::int64_t width)
{
    return width + 3;
}

Gemm describe(const Shape& s, Transpose transA, Transpose transB)
{
    Gemm g;
    g.transA = transA;
    g.transB = transB;
    g.m = s.m;
    g.n = s.n;
    g.k = s.k;
    g.lda = leading(transA == Transpose::Yes ? s.m : s.k);
    g.ldb = leading(transB == Transpose::Yes ? s.k : s.n);
    g.ldc = leading(s.n);
    return g;
}

/// C in double, all of [m, ldc]: what lies between the rows stays.
Doubles reference(const Gemm& g, const Floats& a, const Floats& b, const Floats& c)
{
    Doubles result = widened(c);
    for (std::int64_t i = 0; i < g.m; ++i)
        for (std::int64_t j = 0; j < g.n; ++j) {
            double sum = 0;
            for (std::int64_t k = 0; k < g.k; ++k) {
                const auto atA = g.transA == Transpose::Yes ? k * g.lda + i : i * g.lda + k;
                const auto atB = g.transB == Transpose::Yes ? j * g.ldb + k : k * g.ldb + j;
                sum += double(a[std::size_t(atA)]) * double(b[std::size_t(atB)]);
            }
            double& to = result[std::size_t(i * g.ldc + j)];
            to = double(g.alpha) * sum + (g.beta == 0 ? 0 : double(g.beta) * to);
        }
    return result;
}

} // namespace

class GemmTest : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase_data() { addDeviceRows(); }
    void multiplies_data();
    void multiplies();
    void overwritesWithBetaZero();
    void scalesWhenThereIsNothingToAdd();
    void touchesNothingOfNoRows();
    void repeatsToTheBit();
    void refusesSizesBeyondTheLibrary();
    void namesItself();
};

void GemmTest::multiplies_data()
{
    QTest::addColumn<Shape>("shape");
    const Shape shapes[] = {{1, 1, 1},       {3, 5, 7},      {17, 33, 65},   {64, 64, 64},
                            {100, 1, 50},    {1, 100, 50},   {130, 257, 99}, {257, 130, 99},
                            {512, 48, 1031}, {31, 771, 129}, {640, 96, 257}};
    for (const Shape& s : shapes)
        QTest::addRow("%lldx%lldx%lld", (long long)s.m, (long long)s.n, (long long)s.k) << s;
}

void GemmTest::multiplies()
{
    QFETCH(Shape, shape);
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    for (const Transpose transA : {Transpose::No, Transpose::Yes})
        for (const Transpose transB : {Transpose::No, Transpose::Yes})
            for (const float beta : {0.0f, 1.0f, -0.5f}) {
                Gemm g = describe(shape, transA, transB);
                g.alpha = 0.75f;
                g.beta = beta;
                const Floats a = randomFloats((transA == Transpose::Yes ? g.k : g.m) * g.lda, 1);
                const Floats b = randomFloats((transB == Transpose::Yes ? g.n : g.k) * g.ldb, 2);
                Floats c = randomFloats(g.m * g.ldc, 3);
                const Doubles expected = reference(g, a, b, c);
                g.a = a.data();
                g.b = b.data();
                g.c = c.data();
                device->gemm(*stream, g);
                VERIFY_CLOSE(c, expected, 2e-6);
            }
}

void GemmTest::overwritesWithBetaZero()
{
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    Gemm g = describe({33, 47, 21}, Transpose::No, Transpose::Yes);
    const Floats a = randomFloats(g.m * g.lda, 1), b = randomFloats(g.n * g.ldb, 2);
    Floats zero(std::size_t(g.m * g.ldc), 0.0f);
    const Doubles expected = reference(g, a, b, zero);
    Floats c(zero.size(), 0.0f);
    for (std::int64_t i = 0; i < g.m; ++i)
        for (std::int64_t j = 0; j < g.n; ++j)
            c[std::size_t(i * g.ldc + j)] = std::numeric_limits<float>::quiet_NaN();
    g.a = a.data();
    g.b = b.data();
    g.c = c.data();
    device->gemm(*stream, g);
    VERIFY_CLOSE(c, expected, 2e-6);
}

void GemmTest::scalesWhenThereIsNothingToAdd()
{
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    Floats c = {1, 2, 3, 4}, none(4);
    Gemm g;
    g.m = g.n = 2;
    g.k = 0;
    g.a = g.b = none.data();
    g.lda = g.ldb = g.ldc = 2;
    g.beta = 0.5f;
    g.c = c.data();
    device->gemm(*stream, g);
    QCOMPARE(c, (Floats{0.5f, 1, 1.5f, 2}));
}

void GemmTest::touchesNothingOfNoRows()
{
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    Gemm g;
    g.k = 3;
    device->gemm(*stream, g);
    g.m = 5;
    device->gemm(*stream, g);
}

void GemmTest::repeatsToTheBit()
{
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    Gemm g = describe({301, 517, 203}, Transpose::Yes, Transpose::No);
    const Floats a = randomFloats(g.k * g.lda, 1), b = randomFloats(g.k * g.ldb, 2);
    Floats first(std::size_t(g.m * g.ldc)), again(first.size());
    g.a = a.data();
    g.b = b.data();
    g.c = first.data();
    device->gemm(*stream, g);
    for (int repeat = 0; repeat < 10; ++repeat) {
        g.c = again.data();
        device->gemm(*stream, g);
        QCOMPARE(std::memcmp(first.data(), again.data(), first.size() * sizeof(float)), 0);
    }
}

void GemmTest::refusesSizesBeyondTheLibrary()
{
    const auto device = deviceOfRow();
    const auto stream = device->makeStream();
    Gemm g;
    g.m = g.n = g.k = 1;
    g.lda = std::int64_t(1) << 40;
    QVERIFY_EXCEPTION_THROWN(device->gemm(*stream, g), DeviceError);
}

void GemmTest::namesItself()
{
    const auto device = deviceOfRow();
    QVERIFY(device->name().starts_with("CPU, "));
    QVERIFY2(device->blasName().find(", kernel ") != std::string::npos, device->blasName().c_str());
}

QTEST_APPLESS_MAIN(GemmTest)
#include "gemm_test.moc"
