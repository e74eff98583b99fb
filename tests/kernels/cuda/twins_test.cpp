// Every operation of the CUDA device, emulated, against its twin on the CPU.

#include <QtTest>

#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/language.h"
#include "tests/kernels/cuda/twins.h"

using namespace triaxis::kernels;
using namespace triaxis::kernels::test;

class CudaTwinsTest : public QObject
{
    Q_OBJECT

private slots:
    void elementwise_data() { add(elementwiseTwins()); }
    void elementwise() { hold(); }
    void norms_data() { add(normTwins()); }
    void norms() { hold(); }
    void attention_data() { add(attentionTwins()); }
    void attention() { hold(); }
    void losses_data() { add(lossTwins()); }
    void losses() { hold(); }
    void products_data() { add(productTwins()); }
    void products() { hold(); }
    void productsInBfloat16_data() { add(productTwins()); }
    void productsInBfloat16()
    {
        QFETCH(int, number);
        TwinCase& twin = m_cases[std::size_t(number)];
        twin.allowed = allowedInBfloat16;
        const TwinResult result = compare(twin, *m_cpu, *m_rounding);
        QVERIFY2(result.failure.empty(), result.failure.c_str());
        QVERIFY2(result.good(), QByteArray::number(result.error));
        // Without factors there is nothing to round.
        QVERIFY2(result.error > 1e-5 || twin.name.find("x0 ") != std::string::npos,
                 QByteArray::number(result.error));
    }
    void cleanup() { triaxis::emulation::machine().recover(); }

    void aWrongResultIsFound()
    {
        TwinCase wrong{"scale", {inOut(100, 1)}, [](Device& d, Stream& stream, const Arguments& a) {
                           d.scale(stream, a[0], d.name().front() == 'C' ? 1.0f : 1.00002f, 100);
                       }};
        QVERIFY(!compare(wrong, *m_cpu, *m_gpu).good());
        TwinCase incomplete{
            "fill", {output(100)}, [](Device& d, Stream& stream, const Arguments& a) {
                d.fill(stream, a[0], 1, d.name().front() == 'C' ? 100 : 99);
            }};
        QVERIFY(compare(incomplete, *m_cpu, *m_gpu).failure.find("nothing was written") !=
                std::string::npos);
    }

    void biasAndGeluBelongToTheProduct()
    {
        int& epilogues = triaxis::emulation::machine().epilogues;
        const int before = epilogues;
        for (const TwinCase& twin : productTwins())
            if (twin.name.ends_with("33x16"))
                QVERIFY(compare(twin, *m_cpu, *m_gpu).good());
        QCOMPARE(epilogues - before, 3);
    }

    void refusesHeadsThatAreTooLarge()
    {
        const auto stream = m_gpu->makeStream();
        Attention a;
        a.batch = a.time = a.heads = a.kvHeads = 1;
        a.headSize = 300;
        QVERIFY_EXCEPTION_THROWN(m_gpu->attentionForward(*stream, a, nullptr, nullptr),
                                 DeviceError);
    }

    void nothingIsAllocatedAfterTheFirstTime()
    {
        const std::vector<TwinCase> norms = normTwins();
        const TwinResult first = compare(norms[2], *m_cpu, *m_gpu);
        QVERIFY2(first.good(), first.failure.c_str());
        triaxis::emulation::machine().failAllocation(1);
        const TwinResult second = compare(norms[2], *m_cpu, *m_gpu);
        QVERIFY2(second.good(), second.failure.c_str());
    }

private:
    void add(std::vector<TwinCase> cases)
    {
        m_cases = std::move(cases);
        QTest::addColumn<int>("number");
        for (std::size_t i = 0; i < m_cases.size(); ++i)
            QTest::newRow(m_cases[i].name.c_str()) << int(i);
    }
    void hold()
    {
        QFETCH(int, number);
        const TwinResult result = compare(m_cases[std::size_t(number)], *m_cpu, *m_gpu);
        QVERIFY2(result.failure.empty(), result.failure.c_str());
        QVERIFY2(result.good(), QByteArray::number(result.error));
    }

    std::vector<TwinCase> m_cases;
    std::unique_ptr<Device> m_cpu = makeCpuDevice({});
    std::unique_ptr<Device> m_gpu = std::make_unique<emulated_cuda::CudaDevice>(0);
    std::unique_ptr<Device> m_rounding =
        std::make_unique<emulated_cuda::CudaDevice>(0, GpuPrecision::Bfloat16);
};

QTEST_APPLESS_MAIN(CudaTwinsTest)
#include "twins_test.moc"
