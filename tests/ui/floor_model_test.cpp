#include "tests/ui/support/floors.h"

#include <QtTest>

#include <set>

using namespace triaxis;
using namespace triaxis::ui;
using namespace triaxis::tests;

class FloorModelTest : public QObject
{
    Q_OBJECT

private slots:
    void everyRankHasOneDevice_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<int>("node");
        QTest::newRow("1") << 1 << 1 << 1 << 1;
        QTest::newRow("8 on 2") << 2 << 2 << 2 << 4;
        QTest::newRow("not full") << 3 << 2 << 2 << 8;
        QTest::newRow("odd node") << 2 << 3 << 5 << 7;
        QTest::newRow("16384") << 128 << 8 << 16 << 8;
    }

    void everyRankHasOneDevice()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(int, node);
        const FloorIndex floor(floorModelOf(layoutOf(dp, tp, pp), node));
        std::set<int> devices;
        for (int rank = 0; rank < floor.layout().ranks(); ++rank) {
            const int device = floor.deviceOf(Rank(rank));
            devices.insert(device);
            QCOMPARE(floor.rankAt(device), std::optional(Rank(rank)));
            QCOMPARE(floor.coordinatesAt(device),
                     std::optional(coordinatesOf(floor.layout(), Rank(rank))));
            const int at = floor.nodeOf(device);
            QVERIFY(device >= floor.firstDevice(at) && device < floor.firstDevice(at + 1));
        }
        QCOMPARE(int(devices.size()), floor.layout().ranks());
        QCOMPARE(floor.missingDevices(), 0);
        int used = 0;
        for (int device = 0; device < floor.devices(); ++device)
            used += floor.rankAt(device).has_value();
        QCOMPARE(used, floor.layout().ranks());
    }

    void aLayoutThatIsTooLargeHasGhosts()
    {
        const FloorIndex floor(floorModelOf(layoutOf(3, 2, 2), 4, 2));
        QCOMPARE(floor.realDevices(), 8);
        QCOMPARE(floor.missingDevices(), 4);
        QCOMPARE(floor.nodes(), 3);
        QVERIFY(!floor.isGhost(7));
        QVERIFY(floor.isGhost(8));
        QVERIFY(floor.isGhostNode(2));
        QVERIFY(floor.rankAt(11).has_value());
    }

    void swappedRanksSwapTheirDevices()
    {
        FloorModel model = floorModelOf(layoutOf(1, 2, 2), 4);
        model.placement = {3, 1, 2, 0};
        const FloorIndex floor(model);
        QVERIFY(!floor.hasIdentityPlacement());
        QCOMPARE(floor.deviceOf(Rank(0)), 3);
        QCOMPARE(floor.rankAt(0), std::optional(Rank(3)));
        QCOMPARE(floor.tensorGroup(0, 0), (std::vector<int>{3, 1}));
    }

    void aBrokenPlacementIsTheIdentity_data()
    {
        QTest::addColumn<std::vector<int>>("placement");
        QTest::newRow("twice") << std::vector<int>{0, 0, 1, 2};
        QTest::newRow("outside") << std::vector<int>{0, 1, 2, 9};
        QTest::newRow("negative") << std::vector<int>{0, 1, 2, -1};
        QTest::newRow("too short") << std::vector<int>{1, 0};
    }

    void aBrokenPlacementIsTheIdentity()
    {
        QFETCH(std::vector<int>, placement);
        FloorModel model = floorModelOf(layoutOf(1, 2, 2), 4);
        model.placement = placement;
        const FloorIndex floor(model);
        QVERIFY(floor.hasIdentityPlacement());
        for (int rank = 0; rank < 4; ++rank)
            QCOMPARE(floor.deviceOf(Rank(rank)), rank);
    }

    void mixedNodesKeepTheirSizes()
    {
        FloorModel model = floorModelOf(layoutOf(3, 2, 1), 4, 3);
        model.nodeDevices = {4, 2, 1};
        model.nodeTitles = {"a", "b", "c"};
        model.deviceTitles = {"H100", "H100", "H100", "H100", "A100", "A100", "L4"};
        const FloorIndex floor(model);
        QCOMPARE(floor.realDevices(), 7);
        QCOMPARE(floor.devicesOf(1), 2);
        QCOMPARE(floor.nodeOf(6), 2);
        QCOMPARE(floor.nodeTitle(1), QString("b"));
        QCOMPARE(floor.deviceTitle(5), QString("A100 1"));
    }

    void groupsThatLeaveTheirNodeAreFound()
    {
        const FloorIndex inside(floorModelOf(layoutOf(1, 4, 2), 4));
        const FloorIndex outside(floorModelOf(layoutOf(1, 8, 1), 4));
        QVERIFY(inside.isInOneNode(inside.tensorGroup(0, 1)));
        QVERIFY(!outside.isInOneNode(outside.tensorGroup(0, 0)));
    }

    void replicasOfANodeAreAlike()
    {
        const FloorIndex floor(floorModelOf(layoutOf(256, 8, 1), 8));
        QCOMPARE(int(floor.alike().size()), 1);
        QCOMPARE(int(floor.alike().front().nodes.size()), 256);
        const FloorIndex stages(floorModelOf(layoutOf(16, 8, 4), 8));
        QCOMPARE(int(stages.alike().size()), 4);
        int nodes = 0;
        for (const NodesAlike& alike : stages.alike()) {
            nodes += int(alike.nodes.size());
            QCOMPARE(alike.nodes.front(), alike.first);
            for (const int node : alike.nodes)
                QCOMPARE(stages.alike()[std::size_t(stages.classOf(node))].first, alike.first);
        }
        QCOMPARE(nodes, stages.nodes());
    }

    void whatANodeShowsSetsItApart()
    {
        FloorModel model = floorModelOf(layoutOf(4, 8, 1), 8);
        QCOMPARE(int(FloorIndex(model).alike().size()), 1);
        model.notices = {{Severity::Warning, "slow", 9, -1}};
        QCOMPARE(int(FloorIndex(model).alike().size()), 2);
        model.notices = {{Severity::Warning, "slow", -1, 9}};
        QCOMPARE(int(FloorIndex(model).alike().size()), 2);
        model.notices.clear();
        model.memoryBytes.assign(32, 10);
        model.memoryBytes[31] = 11;
        QCOMPARE(int(FloorIndex(model).alike().size()), 2);
    }

    void memoryAgainstCapacity()
    {
        FloorModel model = floorModelOf(layoutOf(1, 2, 1), 2);
        QVERIFY(!FloorIndex(model).fillOf(0).has_value());
        model.memoryBytes = {40, 90};
        model.capacityBytes = {80};
        const FloorIndex floor(model);
        QCOMPARE(floor.fillOf(0).value(), 0.5);
        QVERIFY(!floor.isOverCapacity(0));
        QVERIFY(floor.isOverCapacity(1));
    }

    void sharesOfStagesSumUp()
    {
        const FloorIndex floor(floorModelOf(layoutOf(3, 2, 2), 8, 2));
        const std::vector<int> shares = floor.stageShares(0, 1);
        QCOMPARE(shares, (std::vector<int>{6, 6, 4}));
    }

    void aDeviceIsDescribedInWords()
    {
        FloorModel model = floorModelOf(layoutOf(2, 8, 4), 8);
        model.layout.order = {Axis::Tensor, Axis::Pipeline, Axis::Data};
        model.memoryBytes.assign(64, std::int64_t(59) << 30);
        model.capacityBytes = {std::int64_t(80) << 30};
        const QString text = describeDevice(FloorIndex(model), 10);
        QVERIFY2(text.startsWith("GPU 2 · node 1 · rank 10 · data 0, tensor 2, pipeline 1, 59"),
                 qPrintable(text));
        QVERIFY(text.contains(" of 80"));
        const FloorIndex sparse(floorModelOf(layoutOf(1, 1, 1), 8, 1));
        QVERIFY(describeDevice(sparse, 5).contains("unused"));
    }

    void modelsOfEqualContentAreEqual()
    {
        FloorModel first = floorModelOf(layoutOf(2, 2, 2), 4);
        FloorModel second = first;
        QVERIFY(first == second);
        second.placement = {1, 0, 2, 3, 4, 5, 6, 7};
        QVERIFY(!(first == second));
    }
};

QTEST_GUILESS_MAIN(FloorModelTest)
#include "floor_model_test.moc"
