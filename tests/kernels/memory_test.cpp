#include "kernels/device.h"
#include "kernels/error.h"

#include <QTest>

#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

using namespace triaxis::kernels;

class MemoryTest : public QObject
{
    Q_OBJECT

private slots:
    void alignsEveryBlock();
    void countsLiveAndPeakByUse();
    void reusesFreedBlocks();
    void movesOwnership();
    void startsPeaksAnew();
    void givesNothingForNothing();
    void refusesImpossibleSizes();

private:
    std::unique_ptr<Device> m_device = makeCpuDevice({});
};

static std::size_t at(MemoryUse use)
{
    return static_cast<std::size_t>(use);
}

void MemoryTest::alignsEveryBlock()
{
    std::vector<Buffer> buffers;
    for (std::size_t bytes : {1u, 63u, 64u, 65u, 4097u, 2u << 20, (5u << 20) + 3}) {
        buffers.push_back(m_device->allocate(bytes, MemoryUse::Workspace));
        QCOMPARE(reinterpret_cast<std::uintptr_t>(buffers.back().data()) % 64, std::uintptr_t(0));
        QCOMPARE(buffers.back().bytes(), bytes);
        std::memset(buffers.back().data(), 0xff, bytes);
    }
}

void MemoryTest::countsLiveAndPeakByUse()
{
    const auto device = makeCpuDevice({});
    Buffer weights = device->allocateFloats(1000, MemoryUse::Weights);
    {
        const Buffer activations = device->allocate(5000, MemoryUse::Activations);
        QCOMPARE(device->memory().live[at(MemoryUse::Weights)], 4000);
        QCOMPARE(device->memory().live[at(MemoryUse::Activations)], 5000);
        QCOMPARE(device->memory().liveTotal, 9000);
    }
    QCOMPARE(device->memory().live[at(MemoryUse::Activations)], 0);
    QCOMPARE(device->memory().peak[at(MemoryUse::Activations)], 5000);
    QCOMPARE(device->memory().liveTotal, 4000);
    QCOMPARE(device->memory().peakTotal, 9000);
    weights.reset();
    QCOMPARE(device->memory().liveTotal, 0);
}

void MemoryTest::reusesFreedBlocks()
{
    for (std::size_t bytes : {1000u, 3u << 20}) {
        Buffer first = m_device->allocate(bytes, MemoryUse::Workspace);
        void* const data = first.data();
        first.reset();
        const Buffer second = m_device->allocate(bytes, MemoryUse::Activations);
        QCOMPARE(second.data(), data);
        const Buffer third = m_device->allocate(bytes, MemoryUse::Activations);
        QVERIFY(third.data() != data);
    }
}

void MemoryTest::movesOwnership()
{
    const auto device = makeCpuDevice({});
    Buffer a = device->allocate(100, MemoryUse::Workspace);
    Buffer b = std::move(a);
    QVERIFY(!a);
    QVERIFY(bool(b));
    Buffer c = device->allocate(50, MemoryUse::Gradients);
    c = std::move(b);
    QCOMPARE(c.bytes(), std::size_t(100));
    QCOMPARE(device->memory().live[at(MemoryUse::Gradients)], 0);
    QCOMPARE(device->memory().liveTotal, 100);
}

void MemoryTest::startsPeaksAnew()
{
    const auto device = makeCpuDevice({});
    const Buffer kept = device->allocate(10, MemoryUse::Weights);
    device->allocate(1000, MemoryUse::Weights).reset();
    QCOMPARE(device->memory().peakTotal, 1010);
    device->resetPeaks();
    QCOMPARE(device->memory().peakTotal, 10);
    QCOMPARE(device->memory().peak[at(MemoryUse::Weights)], 10);
}

void MemoryTest::givesNothingForNothing()
{
    const auto device = makeCpuDevice({});
    const Buffer none = device->allocate(0, MemoryUse::Workspace);
    QVERIFY(!none);
    QCOMPARE(device->memory().peakTotal, 0);
}

void MemoryTest::refusesImpossibleSizes()
{
    const auto device = makeCpuDevice({});
    QVERIFY_EXCEPTION_THROWN(device->allocate(std::size_t(1) << 60, MemoryUse::Weights),
                             DeviceError);
    QVERIFY_EXCEPTION_THROWN(device->allocateFloats(-1, MemoryUse::Weights), DeviceError);
    QVERIFY_EXCEPTION_THROWN(
        device->allocateFloats(std::numeric_limits<std::int64_t>::max(), MemoryUse::Weights),
        DeviceError);
    QCOMPARE(device->memory().liveTotal, 0);
}

QTEST_APPLESS_MAIN(MemoryTest)
#include "memory_test.moc"
