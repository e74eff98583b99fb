#include "engine/layout/layout.h"
#include "tests/engine/core/expect_error.h"
#include "tests/engine/model/model_fixture.h"

#include <QTest>
#include <algorithm>
#include <numeric>
#include <set>

using namespace triaxis;

namespace
{

constexpr std::array axes{Axis::Data, Axis::Tensor, Axis::Pipeline};

std::vector<RankOrder> allOrders()
{
    std::vector<RankOrder> orders;
    RankOrder order{Axis::Data, Axis::Tensor, Axis::Pipeline};
    do {
        orders.push_back(order);
    } while (std::next_permutation(order.begin(), order.end()));
    return orders;
}

std::vector<Layout> someLayouts()
{
    std::vector<Layout> layouts;
    for (const RankOrder& order : allOrders()) {
        for (const auto& [dp, tp, pp] :
             {std::array{1, 1, 1}, {2, 3, 4}, {4, 1, 3}, {1, 8, 1}, {5, 2, 1}}) {
            Layout layout;
            layout.dp = dp;
            layout.tp = tp;
            layout.pp = pp;
            layout.order = order;
            layouts.push_back(layout);
        }
    }
    return layouts;
}

int& along(Coordinates& at, Axis axis)
{
    return axis == Axis::Data ? at.data : axis == Axis::Tensor ? at.tensor : at.pipeline;
}

/// The group as its definition says: every rank of the world whose other coordinates agree.
std::vector<Rank> groupByDefinition(const Layout& layout, Rank rank, Axis axis)
{
    std::vector<Rank> group;
    for (int other = 0; other < layout.ranks(); ++other) {
        Coordinates a = coordinatesOf(layout, rank), b = coordinatesOf(layout, Rank(other));
        along(a, axis) = along(b, axis) = 0;
        if (a == b)
            group.push_back(Rank(other));
    }
    std::sort(group.begin(), group.end(), [&](Rank x, Rank y) {
        Coordinates a = coordinatesOf(layout, x), b = coordinatesOf(layout, y);
        return along(a, axis) < along(b, axis);
    });
    return group;
}

std::vector<int> values(const std::vector<Rank>& ranks)
{
    std::vector<int> result;
    for (const Rank rank : ranks)
        result.push_back(rank.value);
    return result;
}

} // namespace

class LayoutTest : public QObject
{
    Q_OBJECT

private slots:
    void everyOrderReadsAsItWasWritten();
    void refusesTextsThatAreNoOrder();
    void ranksAndCoordinatesAreOneToOne();
    void megatronsOrderRunsTensorFastest();
    void groupsAreThoseOfTheDefinition();
    void groupsPartitionTheWorld();
    void modelGroupIsTensorFastest();
    void surplusLayersGoToTheMiddle_data();
    void surplusLayersGoToTheMiddle();
    void explicitSplitWins();
    void microbatchesAreCountedWhereTheyDivide();
    void textsNameTheAxes();
};

void LayoutTest::everyOrderReadsAsItWasWritten()
{
    std::set<std::string> texts;
    for (const RankOrder& order : allOrders()) {
        QVERIFY(parseRankOrder(toText(order)) == order);
        texts.insert(toText(order));
    }
    QCOMPARE(texts.size(), std::size_t(6));
    QCOMPARE(toText(megatronOrder), std::string("tp-dp-pp"));
}

void LayoutTest::refusesTextsThatAreNoOrder()
{
    for (const char* text : {"", "tp", "tp-dp", "tp-dp-dp", "tp-dp-pp-", "TP-DP-PP", "tp dp pp",
                             "tp-dp-cp", "tp-dp-pp-cp"})
        QVERIFY2(errorText([&] { parseRankOrder(text); }).contains("no order of dp, tp and pp"),
                 text);
}

void LayoutTest::ranksAndCoordinatesAreOneToOne()
{
    for (const Layout& layout : someLayouts()) {
        std::set<Coordinates> seen;
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const Coordinates at = coordinatesOf(layout, Rank(rank));
            QVERIFY(at.data >= 0 && at.data < layout.dp && at.tensor >= 0 &&
                    at.tensor < layout.tp && at.pipeline >= 0 && at.pipeline < layout.pp);
            QCOMPARE(rankOf(layout, at).value, rank);
            seen.insert(at);
        }
        QCOMPARE(int(seen.size()), layout.ranks());
    }
}

void LayoutTest::megatronsOrderRunsTensorFastest()
{
    Layout layout;
    layout.dp = 3;
    layout.tp = 2;
    layout.pp = 4;
    QVERIFY((coordinatesOf(layout, Rank(1)) == Coordinates{0, 1, 0}));
    QVERIFY((coordinatesOf(layout, Rank(2)) == Coordinates{1, 0, 0}));
    QVERIFY((coordinatesOf(layout, Rank(6)) == Coordinates{0, 0, 1}));
    // The data groups that Megatron's documentation gives for tensor 2, data 3, pipeline 4.
    const auto groups = groupsOf(layout, Axis::Data);
    QVERIFY((values(groups.front()) == std::vector{0, 2, 4}));
    QVERIFY((values(groups[1]) == std::vector{1, 3, 5}));
    QVERIFY((values(groups.back()) == std::vector{19, 21, 23}));
}

void LayoutTest::groupsAreThoseOfTheDefinition()
{
    for (const Layout& layout : someLayouts()) {
        for (const Axis axis : axes) {
            for (int rank = 0; rank < layout.ranks(); ++rank)
                QVERIFY(groupOf(layout, Rank(rank), axis) ==
                        groupByDefinition(layout, Rank(rank), axis));
        }
    }
}

void LayoutTest::groupsPartitionTheWorld()
{
    for (const Layout& layout : someLayouts()) {
        for (const Axis axis : axes) {
            std::vector<int> all;
            for (const std::vector<Rank>& group : groupsOf(layout, axis)) {
                QVERIFY(group == groupOf(layout, group.back(), axis));
                for (const Rank rank : group)
                    all.push_back(rank.value);
            }
            std::sort(all.begin(), all.end());
            std::vector<int> expected(std::size_t(layout.ranks()));
            std::iota(expected.begin(), expected.end(), 0);
            QVERIFY(all == expected);
        }
    }
}

void LayoutTest::modelGroupIsTensorFastest()
{
    for (const Layout& layout : someLayouts()) {
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const Coordinates own = coordinatesOf(layout, Rank(rank));
            std::vector<Rank> expected;
            for (int pipeline = 0; pipeline < layout.pp; ++pipeline) {
                for (int tensor = 0; tensor < layout.tp; ++tensor)
                    expected.push_back(rankOf(layout, {own.data, tensor, pipeline}));
            }
            QVERIFY(modelGroupOf(layout, Rank(rank)) == expected);
        }
    }
}

void LayoutTest::surplusLayersGoToTheMiddle_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<QVector<int>>("split");
    QTest::newRow("even") << 8 << QVector{2, 2, 2, 2};
    QTest::newRow("one stage") << 5 << QVector{5};
    QTest::newRow("golden case over three stages") << 8 << QVector{3, 3, 2};
    QTest::newRow("one more") << 9 << QVector{2, 3, 2, 2};
    QTest::newRow("two more") << 10 << QVector{2, 3, 3, 2};
    QTest::newRow("three more") << 11 << QVector{3, 3, 3, 2};
    QTest::newRow("five stages") << 12 << QVector{2, 3, 3, 2, 2};
    QTest::newRow("405B over 16 stages")
        << 126 << QVector{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7};
}

void LayoutTest::surplusLayersGoToTheMiddle()
{
    QFETCH(int, layers);
    QFETCH(QVector<int>, split);
    const std::vector<int> made = defaultLayerSplit(layers, int(split.size()));
    if (split.size() == 16) {
        QCOMPARE(made.front(), 7);
        QCOMPARE(made.back(), 7);
        QCOMPARE(std::accumulate(made.begin(), made.end(), 0), layers);
    } else {
        QVERIFY(made == std::vector<int>(split.begin(), split.end()));
    }
}

void LayoutTest::explicitSplitWins()
{
    Layout layout;
    layout.pp = 3;
    ModelSpec model = smallGpt2();
    model.layers = 8;
    QVERIFY((layerSplit(layout, model) == std::vector{3, 3, 2}));
    layout.layersPerStage = {1, 4, 3};
    QVERIFY((layerSplit(layout, model) == std::vector{1, 4, 3}));
    layout.layersPerStage.clear();
    layout.pp = 2;
    layout.virtualStages = 2;
    QVERIFY((layerSplit(layout, model) == std::vector{2, 2, 2, 2}));
    QVERIFY(defaultLayerSplit(4, 0).empty());
}

void LayoutTest::microbatchesAreCountedWhereTheyDivide()
{
    QCOMPARE((BatchShape{16, 2, 8}.microbatches(2)), 4);
    QCOMPARE((BatchShape{16, 3, 8}.microbatches(2)), 0);
    QCOMPARE((BatchShape{16, 2, 8}.microbatches(0)), 0);
    QCOMPARE((BatchShape{16, 0, 8}.microbatches(2)), 0);
    QCOMPARE((BatchShape{2'147'483'647, 2'147'483'647, 8}.microbatches(2'147'483'647)), 0);
}

void LayoutTest::textsNameTheAxes()
{
    Layout layout;
    layout.dp = 2;
    layout.tp = 3;
    layout.pp = 4;
    QCOMPARE(toText(layout), std::string("2×3×4 (data × tensor × pipeline)"));
    QCOMPARE(toText(Coordinates{0, 1, 2}), std::string("dp0 · pp2 · tp1"));
}

QTEST_APPLESS_MAIN(LayoutTest)
#include "layout_test.moc"
