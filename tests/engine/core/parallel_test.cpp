#include <QtTest>

#include "engine/core/parallel.h"

#include <atomic>
#include <stdexcept>
#include <vector>

using namespace triaxis;

class ParallelTest : public QObject
{
    Q_OBJECT

private slots:
    void everyCallIsMadeOnce()
    {
        for (const std::size_t count : {0, 1, 2, 3, 1000}) {
            std::vector<std::atomic<int>> calls(count);
            inParallel(count, [&](std::size_t i) { ++calls[i]; });
            for (const std::atomic<int>& made : calls)
                QCOMPARE(made.load(), 1);
        }
    }

    void exceptionComesBackHere()
    {
        std::atomic<int> made = 0;
        const auto work = [&](std::size_t i) {
            ++made;
            if (i == 3)
                throw std::runtime_error("three");
        };
        QVERIFY_THROWS_EXCEPTION(std::runtime_error, inParallel(100000, work));
        QVERIFY(made >= 1);
        QVERIFY(made < 100000);
    }
};

QTEST_APPLESS_MAIN(ParallelTest)
#include "parallel_test.moc"
