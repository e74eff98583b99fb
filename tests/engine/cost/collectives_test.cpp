#include <QtTest>

#include "engine/cost/collectives.h"
#include "tests/engine/cost/calibration_table.h"

#include <cmath>
#include <random>

using namespace triaxis;

namespace
{

constexpr Collective kinds[] = {Collective::AllReduce, Collective::ReduceScatter,
                                Collective::AllGather, Collective::AllToAll,
                                Collective::Broadcast, Collective::PointToPoint};

double busBandwidth(const ClusterSpec& cluster, Collective kind, double bytes,
                    const GroupPlacement& group)
{
    return busFactor(kind, group.ranks) * bytes / collectiveSeconds(cluster, kind, bytes, group);
}

GroupPlacement anyGroup(std::mt19937& random)
{
    const auto upTo = [&](int most) { return int(random() % unsigned(most)) + 1; };
    return {upTo(4096), upTo(3) == 1 ? upTo(64) : 1 << (upTo(7) - 1), upTo(16)};
}

/// The cluster without reduction in its switches, as it was when the tables were measured.
ClusterSpec withoutSwitchSums(const char* name)
{
    ClusterSpec cluster = clusterPreset(name);
    for (LinkLevel& level : cluster.levels)
        level.reducesInNetwork = false;
    return cluster;
}

} // namespace

class CollectivesTest : public QObject
{
    Q_OBJECT

private slots:
    void oneRankCostsNothing();
    void alwaysPositiveAndFinite();
    void moreBytesAreNeverFaster();
    void fasterLinksAreNeverSlower();
    void moreConcurrentGroupsAreNeverFaster();
    void largeMessagesReachTheLinksRate();
    void switchesThatAddBeatRings();
    void groupsAreFoundOnTheirLevel();
    void portsAreShared();
    void manyRanksDoNotPayARingsLatency();
    void holdsToMeasuredTimes_data();
    void holdsToMeasuredTimes();
};

void CollectivesTest::oneRankCostsNothing()
{
    const ClusterSpec& cluster = clusterPreset("dgx-a100");
    for (const Collective kind : kinds) {
        QCOMPARE(collectiveSeconds(cluster, kind, 1e9, {1, 1, 1}), 0.0);
        QCOMPARE(collectiveSeconds(cluster, kind, 1e9, {0, 1, 1}), 0.0);
        QCOMPARE(busFactor(kind, 1), 0.0);
    }
    QCOMPARE(busFactor(Collective::AllReduce, 4), 1.5);
    QCOMPARE(busFactor(Collective::AllGather, 4), 0.75);
    QCOMPARE(busFactor(Collective::PointToPoint, 2), 1.0);
}

void CollectivesTest::alwaysPositiveAndFinite()
{
    const int most = std::numeric_limits<int>::max();
    const double infinity = std::numeric_limits<double>::infinity();
    for (const ClusterSpec& cluster : clusterPresets())
        for (const Collective kind : kinds)
            for (const double bytes : {-1.0, 0.0, 1.0, 1e9, 1e18, 1e300, infinity})
                for (const GroupPlacement& group : {GroupPlacement{2, 1, 1},
                                                    {2, most, most},
                                                    {most, 1, 1},
                                                    {most, most, 1},
                                                    {3, 0, 0},
                                                    {7, -5, -5}}) {
                    const double seconds = collectiveSeconds(cluster, kind, bytes, group);
                    QVERIFY2(std::isfinite(seconds) && seconds > 0, cluster.name.c_str());
                }
}

void CollectivesTest::moreBytesAreNeverFaster()
{
    std::mt19937 random(1);
    for (const ClusterSpec& cluster : clusterPresets())
        for (int i = 0; i < 100; ++i) {
            const Collective kind = kinds[random() % std::size(kinds)];
            const GroupPlacement group = anyGroup(random);
            double before = 0;
            for (double bytes = 1; bytes < 1e12; bytes *= 1.7) {
                const double seconds = collectiveSeconds(cluster, kind, bytes, group);
                QVERIFY2(seconds >= before, cluster.name.c_str());
                before = seconds;
            }
        }
}

void CollectivesTest::fasterLinksAreNeverSlower()
{
    std::mt19937 random(2);
    for (const ClusterSpec& cluster : clusterPresets())
        for (int i = 0; i < 300; ++i) {
            const Collective kind = kinds[random() % std::size(kinds)];
            const GroupPlacement group = anyGroup(random);
            const double bytes = std::exp2(double(random() % 40));
            ClusterSpec better = cluster;
            LinkLevel& level = better.levels[random() % better.levels.size()];
            switch (random() % 5) {
            case 0:
                level.bandwidth *= 1.5;
                break;
            case 1:
                level.latency /= 2;
                break;
            case 2:
                level.efficiency = std::min(1.0, 1.1 * level.efficiency);
                break;
            case 3:
                level.halfSize /= 2;
                break;
            default:
                level.copyBandwidth *= 2;
            }
            QVERIFY2(collectiveSeconds(better, kind, bytes, group) <=
                         collectiveSeconds(cluster, kind, bytes, group),
                     cluster.name.c_str());
        }
}

void CollectivesTest::moreConcurrentGroupsAreNeverFaster()
{
    for (const ClusterSpec& cluster : clusterPresets())
        for (const Collective kind : kinds)
            for (const int stride : {1, 2, 8}) {
                double before = 0;
                for (int concurrent = 1; concurrent <= 16; ++concurrent) {
                    const double seconds =
                        collectiveSeconds(cluster, kind, 1e8, {32, stride, concurrent});
                    QVERIFY2(seconds >= before, cluster.name.c_str());
                    before = seconds;
                }
            }
}

void CollectivesTest::largeMessagesReachTheLinksRate()
{
    // nccl-tests on DGX A100: about 230 GB/s in a node, about 185 GB/s over two (8 × 25 GB/s).
    const ClusterSpec& cluster = clusterPreset("dgx-a100");
    const double inside = busBandwidth(cluster, Collective::AllReduce, 8e9, {8, 1, 1});
    QVERIFY2(inside > 225e9 && inside < 240e9, QByteArray::number(inside));
    const double between = busBandwidth(cluster, Collective::AllReduce, 8e9, {16, 1, 1});
    QVERIFY2(between > 175e9 && between < 195e9, QByteArray::number(between));
    const double gathers = busBandwidth(cluster, Collective::AllGather, 8e9, {16, 1, 1});
    QVERIFY2(gathers > 175e9 && gathers < 195e9, QByteArray::number(gathers));
}

void CollectivesTest::switchesThatAddBeatRings()
{
    // nccl-tests on DGX H100: about 480 GB/s with NVLS, about 360 GB/s with rings.
    const double added =
        busBandwidth(clusterPreset("dgx-h100"), Collective::AllReduce, 8e9, {8, 1, 1});
    const double rings =
        busBandwidth(withoutSwitchSums("dgx-h100"), Collective::AllReduce, 8e9, {8, 1, 1});
    QVERIFY2(added > 460e9 && added < 490e9, QByteArray::number(added));
    QVERIFY2(rings > 350e9 && rings < 375e9, QByteArray::number(rings));
}

void CollectivesTest::groupsAreFoundOnTheirLevel()
{
    const ClusterSpec& cluster = clusterPreset("dgx-a100");
    const auto send = [&](int stride) {
        return collectiveSeconds(cluster, Collective::PointToPoint, 1e8, {2, stride, 1});
    };
    QVERIFY(send(4) == send(1));
    QVERIFY(send(8) > 5 * send(4));
    QVERIFY(send(64) == send(8));
    const auto reduce = [&](int ranks, int stride) {
        return collectiveSeconds(cluster, Collective::AllReduce, 1e9, {ranks, stride, 1});
    };
    QVERIFY(reduce(8, 8) > 4 * reduce(8, 1));
    QVERIFY(reduce(4, 2) == reduce(4, 1));
}

void CollectivesTest::portsAreShared()
{
    // Data-parallel groups of stride 8: eight at a time share the node's ports, one alone has more
    // only where devices share a port.
    const auto reduce = [](const char* cluster, int concurrent) {
        return collectiveSeconds(clusterPreset(cluster), Collective::AllReduce, 4e9,
                                 {16, 8, concurrent});
    };
    QVERIFY(reduce("dgx-a100", 1) == reduce("dgx-a100", 8));
    const double ratio = reduce("jean-zay-a100", 8) / reduce("jean-zay-a100", 1);
    QVERIFY2(ratio > 1.9 && ratio < 2.01, QByteArray::number(ratio));
    const double port = reduce("a100-ethernet-10g", 8) / reduce("a100-ethernet-10g", 1);
    QVERIFY2(port > 7.5 && port < 8.01, QByteArray::number(port));
}

void CollectivesTest::manyRanksDoNotPayARingsLatency()
{
    const ClusterSpec& cluster = clusterPreset("dgx-h100");
    const double seconds = collectiveSeconds(cluster, Collective::AllReduce, 4096, {16384, 1, 1});
    QVERIFY2(seconds < 1e-3, QByteArray::number(seconds));
}

void CollectivesTest::holdsToMeasuredTimes_data()
{
    QTest::addColumn<QString>("table");
    QTest::addColumn<QString>("system");
    QTest::addColumn<QString>("cluster");
    QTest::addColumn<double>("most");
    QTest::newRow("NVLink 3, vTrain") << "calib_allreduce_vtrain.csv"
                                      << "A100"
                                      << "dgx-a100" << 0.02;
    QTest::newRow("NVLink 2, vTrain") << "calib_allreduce_vtrain.csv"
                                      << "V100"
                                      << "dgx-v100" << 0.02;
    QTest::newRow("NVLink 3, Vidur") << "calib_collectives_vidur.csv"
                                     << "a100_dgx"
                                     << "dgx-a100" << 0.08;
    QTest::newRow("NVLink 4, Vidur") << "calib_collectives_vidur.csv"
                                     << "h100_dgx"
                                     << "dgx-h100" << 0.06;
    QTest::newRow("PCIe 4 and bridge, Vidur") << "calib_collectives_vidur.csv"
                                              << "a100_pairwise_nvlink"
                                              << "a100-pcie-pairs" << 0.03;
    QTest::newRow("PCIe 5 and bridge, Vidur") << "calib_collectives_vidur.csv"
                                              << "h100_pairwise_nvlink"
                                              << "h100-pcie-pairs" << 0.03;
}

void CollectivesTest::holdsToMeasuredTimes()
{
    QFETCH(QString, table);
    QFETCH(QString, system);
    QFETCH(QString, cluster);
    QFETCH(double, most);
    const std::vector<MeasuredReduction> rows = measuredReductions(table, system);
    if (rows.empty())
        QSKIP("the measured tables are not here");
    const ClusterSpec spec = withoutSwitchSums(qPrintable(cluster));
    std::vector<double> errors;
    std::vector<std::vector<double>> byDecade(12);
    for (const MeasuredReduction& row : rows) {
        const double seconds =
            collectiveSeconds(spec, Collective::AllReduce, row.bytes, {row.ranks, 1, 1});
        const double error = std::fabs(seconds / row.seconds - 1);
        errors.push_back(error);
        byDecade[std::size_t(std::log10(row.bytes))].push_back(error);
    }
    for (std::size_t i = 0; i < byDecade.size(); ++i)
        if (!byDecade[i].empty())
            qInfo("from 1e%zu bytes: median error %.1f%% of %zu", i, 100 * medianOf(byDecade[i]),
                  byDecade[i].size());
    const double median = medianOf(errors);
    qInfo("all: %.1f%%", 100 * median);
    QVERIFY2(median < most, QByteArray::number(median));
}

QTEST_APPLESS_MAIN(CollectivesTest)
#include "collectives_test.moc"
