#include "engine/data/permutation.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

using namespace triaxis;

namespace
{

std::vector<std::int64_t> orderOf(const EpochPermutation& permutation, std::int64_t epoch,
                                  std::int64_t size)
{
    std::vector<std::int64_t> order;
    for (std::int64_t position = 0; position < size; ++position)
        order.push_back(permutation.at(epoch, position));
    return order;
}

bool isPermutation(std::vector<std::int64_t> order)
{
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (order[i] != std::int64_t(i))
            return false;
    }
    return true;
}

} // namespace

class PermutationTest : public QObject
{
    Q_OBJECT

private slots:
    void everyEpochVisitsEverythingOnce();
    void seedsAndEpochsGiveOtherOrders();
    void ordersLookRandom();
    void largeSizesStayInRange();
};

void PermutationTest::everyEpochVisitsEverythingOnce()
{
    for (std::int64_t size = 1; size <= 70; ++size) {
        for (std::int64_t epoch = 0; epoch < 3; ++epoch)
            QVERIFY(isPermutation(orderOf(EpochPermutation(5, size), epoch, size)));
    }
    for (const std::int64_t size : {255, 256, 257, 274, 1024, 1025, 50'000})
        QVERIFY(isPermutation(orderOf(EpochPermutation(9, size), 1, size)));
}

void PermutationTest::seedsAndEpochsGiveOtherOrders()
{
    const EpochPermutation one(1, 100), again(1, 100), other(2, 100);
    QVERIFY(orderOf(one, 0, 100) == orderOf(again, 0, 100));
    QVERIFY(orderOf(one, 0, 100) != orderOf(one, 1, 100));
    QVERIFY(orderOf(one, 0, 100) != orderOf(other, 0, 100));
}

void PermutationTest::ordersLookRandom()
{
    // Over many epochs each element stands at each position about equally often, and neighbours are
    // not kept.
    constexpr std::int64_t size = 10, epochs = 20'000;
    const EpochPermutation permutation(3, size);
    std::map<std::pair<std::int64_t, std::int64_t>, int> counts;
    int neighbours = 0;
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
        const auto order = orderOf(permutation, epoch, size);
        for (std::size_t i = 0; i < order.size(); ++i)
            ++counts[{std::int64_t(i), order[i]}];
        for (std::size_t i = 1; i < order.size(); ++i)
            neighbours += order[i] == order[i - 1] + 1;
    }
    QCOMPARE(counts.size(), std::size_t(size * size));
    for (const auto& [place, count] : counts)
        QVERIFY2(std::abs(count - epochs / size) < 250, qPrintable(QString::number(count)));
    // (n − 1) neighbouring pairs, each rising by one with probability 1/n.
    QVERIFY(std::fabs(double(neighbours) / double(epochs) - 0.9) < 0.05);
}

void PermutationTest::largeSizesStayInRange()
{
    for (const std::int64_t size : {std::int64_t(1) << 40, (std::int64_t(1) << 61) + 7}) {
        const EpochPermutation permutation(1, size);
        for (const std::int64_t position : {std::int64_t(0), size / 3, size - 1}) {
            const std::int64_t value = permutation.at(0, position);
            QVERIFY(value >= 0 && value < size);
        }
    }
}

QTEST_APPLESS_MAIN(PermutationTest)
#include "permutation_test.moc"
