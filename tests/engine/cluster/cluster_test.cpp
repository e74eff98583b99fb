#include <QtTest>

#include "engine/cluster/cluster.h"
#include "engine/core/error.h"

#include <limits>
#include <set>

using namespace triaxis;

namespace
{

const char* const ownCluster = R"({
  "name": "lab", "device": "l40s",
  "levels": [
    {"link": "pcie4", "span": 4, "bandwidthGBps": 32},
    {"name": "InfiniBand FDR", "span": 0, "bandwidthGBps": 1.7, "sharing": 4, "latencyUs": 4}
  ]})";

/// What the refusal of a cluster's text says; empty if it is accepted.
std::string refusal(const std::string& text)
{
    try {
        clusterFromJson(text, "lab.json");
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

/// The text with one part of it replaced.
std::string with(const std::string& part, const std::string& other)
{
    std::string text = ownCluster;
    const std::size_t at = text.find(part);
    return text.replace(at, part.size(), other);
}

} // namespace

class ClusterTest : public QObject
{
    Q_OBJECT

private slots:
    void presetsAreWholeAndNamedOnce();
    void nodesHaveTheSizeAndRateOfTheirSheets();
    void anUnknownNameIsRefusedWithTheKnownOnes();
    void aClusterOfOnesOwnIsRead();
    void aDeviceOfOnesOwnIsRead();
    void faultsNameTheField_data();
    void faultsNameTheField();
    void aClusterThatIsPutTogetherWronglyIsRefused();
};

void ClusterTest::presetsAreWholeAndNamedOnce()
{
    std::set<std::string> names;
    for (const ClusterSpec& cluster : clusterPresets()) {
        QVERIFY2(names.insert(cluster.name).second, cluster.name.c_str());
        QVERIFY2(!cluster.source.empty() && !cluster.title.empty(), cluster.name.c_str());
        checkCluster(cluster);
        QCOMPARE(clusterPreset(cluster.name).title, cluster.title);
        QVERIFY(cluster.nodeSize() >= 2 && cluster.nodeSize() <= 256);
        for (std::size_t i = 1; i < cluster.levels.size(); ++i)
            QVERIFY2(cluster.levels[i].bandwidth <= cluster.levels[i - 1].bandwidth,
                     cluster.name.c_str());
    }
}

void ClusterTest::nodesHaveTheSizeAndRateOfTheirSheets()
{
    const ClusterSpec& selene = clusterPreset("selene");
    QCOMPARE(selene.nodeSize(), 8);
    QCOMPARE(selene.device.name, std::string("a100-80gb"));
    QCOMPARE(selene.levels[1].bandwidth, 25e9);
    const ClusterSpec& jeanZay = clusterPreset("jean-zay-a100");
    QCOMPARE(jeanZay.levels[1].bandwidth, 6.25e9);
    QCOMPARE(jeanZay.levels[1].sharing, 2);
    QCOMPARE(clusterPreset("gb200-nvl72").nodeSize(), 72);
    QCOMPARE(ClusterSpec().nodeSize(), std::numeric_limits<int>::max());
}

void ClusterTest::anUnknownNameIsRefusedWithTheKnownOnes()
{
    try {
        clusterPreset("attic");
        QFAIL("accepted");
    } catch (const Error& error) {
        QVERIFY(error.remedy().find("dgx-h100") != std::string::npos);
    }
}

void ClusterTest::aClusterOfOnesOwnIsRead()
{
    const ClusterSpec cluster = clusterFromJson(ownCluster, "lab.json");
    QCOMPARE(cluster.name, std::string("lab"));
    QCOMPARE(cluster.device.name, std::string("l40s"));
    QCOMPARE(cluster.levels.size(), std::size_t(2));
    QCOMPARE(cluster.levels[0].name, std::string("PCIe 4"));
    QVERIFY(cluster.levels[0].efficiency < 1);
    QCOMPARE(cluster.levels[1].bandwidth, 1.7e9);
    QCOMPARE(cluster.levels[1].latency, 4e-6);
    QCOMPARE(cluster.levels[1].sharing, 4);
}

void ClusterTest::aDeviceOfOnesOwnIsRead()
{
    const std::string device = R"({"name": "own", "peakTflops": {"bf16": 100}, "memoryGiB": 24,
                                   "memoryGBps": 500, "computeUnits": 40})";
    const ClusterSpec cluster = clusterFromJson(with("\"l40s\"", device), "lab.json");
    QCOMPARE(cluster.device.peakOf(NumberFormat::Bf16), 100e12);
    QCOMPARE(cluster.device.memoryBytes, std::int64_t(24) << 30);
    QVERIFY(!refusal(with("\"l40s\"", R"({"name": "own", "peakTflops": {}, "memoryGiB": 24,
                                          "memoryGBps": 500})"))
                 .empty());
}

void ClusterTest::faultsNameTheField_data()
{
    QTest::addColumn<QString>("part");
    QTest::addColumn<QString>("other");
    QTest::addColumn<QString>("named");
    QTest::newRow("no name") << "\"name\": \"lab\","
                             << ""
                             << "name";
    QTest::newRow("device") << "l40s"
                            << "abacus"
                            << "abacus";
    QTest::newRow("link") << "\"pcie4\""
                          << "\"string\""
                          << "levels[0].link";
    QTest::newRow("rate") << "1.7"
                          << "-1"
                          << "levels[1].bandwidthGBps";
    QTest::newRow("no rate") << "1.7"
                             << "0"
                             << "InfiniBand FDR";
    QTest::newRow("sharing") << "\"sharing\": 4"
                             << "\"sharing\": 0"
                             << "levels[1].sharing";
    QTest::newRow("last span") << "\"span\": 0"
                               << "\"span\": 16"
                               << "InfiniBand FDR";
    QTest::newRow("inner span") << "\"span\": 4"
                                << "\"span\": 0"
                                << "PCIe";
    QTest::newRow("text") << "\"levels\""
                          << "levels"
                          << "line 3";
    QTest::newRow("levels") << "\"levels\""
                            << "\"floors\""
                            << "levels";
    QTest::newRow("type") << "1.7"
                          << "\"fast\""
                          << "bandwidthGBps";
}

void ClusterTest::faultsNameTheField()
{
    QFETCH(QString, part);
    QFETCH(QString, other);
    QFETCH(QString, named);
    const std::string said = refusal(with(part.toStdString(), other.toStdString()));
    QVERIFY2(QString::fromStdString(said).contains(named), said.c_str());
}

void ClusterTest::aClusterThatIsPutTogetherWronglyIsRefused()
{
    const ClusterSpec good = clusterPreset("dgx-a100");
    const auto refused = [&](auto change) {
        ClusterSpec cluster = good;
        change(cluster);
        try {
            checkCluster(cluster);
        } catch (const Error&) {
            return true;
        }
        return false;
    };
    const double infinity = std::numeric_limits<double>::infinity();
    const double nothing = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(!refused([](ClusterSpec&) {}));
    QVERIFY(refused([](ClusterSpec& c) { c.levels.clear(); }));
    QVERIFY(refused([](ClusterSpec& c) { c.levels.push_back(c.levels.back()); }));
    QVERIFY(refused([&](ClusterSpec& c) { c.levels[0].bandwidth = infinity; }));
    QVERIFY(refused([&](ClusterSpec& c) { c.levels[0].latency = nothing; }));
    QVERIFY(refused([](ClusterSpec& c) { c.levels[0].efficiency = 0; }));
    QVERIFY(refused([](ClusterSpec& c) { c.device.memoryBandwidth = 0; }));
    QVERIFY(refused([](ClusterSpec& c) { c.device.peak = {}; }));
    QVERIFY(refused([](ClusterSpec& c) { c.levels[0].span = -3; }));
}

QTEST_APPLESS_MAIN(ClusterTest)
#include "cluster_test.moc"
