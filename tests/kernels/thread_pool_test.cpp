#include "kernels/cpu/thread_pool.h"

#include <QTest>

#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

using namespace triaxis::kernels::cpu;

class ThreadPoolTest : public QObject
{
    Q_OBJECT

private slots:
    void doesEveryChunkOnce();
    void staysWithItsCallerWhenAlone();
    void coversRanges();
    void callsProgressOnItsOwner();
    void runsManyShortLoops();
};

void ThreadPoolTest::doesEveryChunkOnce()
{
    ThreadPool pool(3, {});
    QCOMPARE(pool.threads(), 3);
    for (const std::int64_t chunks : {0, 1, 2, 3, 100, 5000}) {
        std::vector<std::atomic<int>> done(static_cast<std::size_t>(chunks));
        std::atomic<bool> threadsInRange{true};
        pool.run(chunks, [&](std::int64_t chunk, int thread) {
            ++done[static_cast<std::size_t>(chunk)];
            if (thread < 0 || thread >= 3)
                threadsInRange = false;
        });
        for (const std::atomic<int>& times : done)
            QCOMPARE(times.load(), 1);
        QVERIFY(threadsInRange);
    }
}

void ThreadPoolTest::staysWithItsCallerWhenAlone()
{
    ThreadPool pool(1, {});
    const std::thread::id caller = std::this_thread::get_id();
    bool elsewhere = false;
    pool.run(50, [&](std::int64_t, int thread) {
        elsewhere = elsewhere || thread != 0 || std::this_thread::get_id() != caller;
    });
    QVERIFY(!elsewhere);
}

void ThreadPoolTest::coversRanges()
{
    ThreadPool pool(2, {});
    std::vector<int> touched(1003, 0);
    pool.runRanges(1003, 10, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i)
            ++touched[static_cast<std::size_t>(i)];
    });
    QCOMPARE(touched, std::vector<int>(1003, 1));
}

void ThreadPoolTest::callsProgressOnItsOwner()
{
    struct Calls
    {
        std::thread::id owner = std::this_thread::get_id();
        int count = 0;
        bool elsewhere = false;
    } calls;
    const Progress progress{[](void* context) {
                                Calls& c = *static_cast<Calls*>(context);
                                ++c.count;
                                c.elsewhere = c.elsewhere || std::this_thread::get_id() != c.owner;
                            },
                            &calls};
    ThreadPool pool(2, progress);
    for (int i = 0; i < 20; ++i)
        pool.run(4, [](std::int64_t, int) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        });
    QVERIFY(calls.count >= 20);
    QVERIFY(!calls.elsewhere);
}

void ThreadPoolTest::runsManyShortLoops()
{
    ThreadPool pool(4, {});
    std::vector<std::int64_t> values(64);
    for (int loop = 0; loop < 3000; ++loop)
        pool.run(
            64, [&](std::int64_t chunk, int) { values[static_cast<std::size_t>(chunk)] += chunk; });
    for (std::int64_t i = 0; i < 64; ++i)
        QCOMPARE(values[static_cast<std::size_t>(i)], 3000 * i);
}

QTEST_APPLESS_MAIN(ThreadPoolTest)
#include "thread_pool_test.moc"
