#include <QtTest>

#include "machine_fixture.h"

#include "../core/expect_error.h"

#include <QTemporaryDir>

#include <fstream>

using namespace triaxis;

namespace
{

std::filesystem::path homeOf(const QTemporaryDir& folder)
{
    return folder.path().toStdString();
}

void write(const std::filesystem::path& home, const std::string& content)
{
    std::ofstream(calibrationFile(home)) << content;
}

} // namespace

class MachineCalibrationTest : public QObject
{
    Q_OBJECT

private slots:
    void isReadAsItWasStored()
    {
        const QTemporaryDir folder;
        MachineCalibration stored = madeUpMachine();
        stored.streams.push_back({{1, 2}, StreamUse::Gradients, 1 << 24, 1 << 20, 1e-3});
        stored.layers.push_back({{1, 2}, 128, 64, 4, 800'000, 1e-2, 1e-3});
        stored.paces.push_back(
            {"2026-01-02T03:04:05Z", 5e-3, {{1e-3, 2e-3}, {1e-3, 1e-3}}, {1e-3}, {1e-3}, {2e-3}});
        stored.now = stored.paces;
        stored.runs.push_back({"2x1x1", 2, 0.5, 0.4});
        storeCalibration(homeOf(folder) / "new", stored);
        const auto read = loadCalibration(homeOf(folder) / "new");
        QVERIFY(read.has_value());
        QCOMPARE(toJson(*read).dump(), toJson(stored).dump());
        QVERIFY(read->products.size() == stored.products.size() && !read->products.empty());
    }

    void eachSampleKeepsItsShorterTime()
    {
        MachineCalibration first = madeUpMachine();
        MachineCalibration again = madeUpMachine();
        again.products[3].seconds /= 2;
        again.operations[5].seconds *= 2;
        again.paces.push_back({});
        again.wakes[1] = {again.wakes[1].ranks, 2e-3, again.wakes[1].seconds / 2};
        MachineCalibration expected = madeUpMachine();
        expected.products[3].seconds /= 2;
        expected.wakes[1] = again.wakes[1];
        expected.paces.push_back({}); // each pass has its own
        first.keepShorter(again);
        QCOMPARE(toJson(first).dump(), toJson(expected).dump());
        first.keepShorter({}); // nothing was measured again
        QCOMPARE(toJson(first).dump(), toJson(expected).dump());
    }

    void roundsOfTheSameJobsCanBeAdded()
    {
        MachineCalibration first = madeUpMachine();
        first.jobs.push_back({2, 1, "compute", 1, 3, 5});
        MachineCalibration again = first;
        again.jobs.front().shortened = 2;
        QVERIFY(first.measuresTheSameAs(again));
        first.keepShorter(again);
        QCOMPARE(first.jobs.front().rounds, 2);
        QCOMPARE(first.jobs.front().shortened, 2);
        QVERIFY(!first.jobs.front().whole());
        again.jobs.front().threads = 2;
        QVERIFY(!first.measuresTheSameAs(again));
        again = first;
        again.products.pop_back();
        QVERIFY(!first.measuresTheSameAs(again));
    }

    void isNothingWhereNothingWasMeasured()
    {
        const QTemporaryDir folder;
        QVERIFY(!loadCalibration(homeOf(folder)).has_value());
    }

    void damagedFilesAreRefused_data()
    {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("says");
        const std::string whole = toJson(madeUpMachine()).dump();
        const auto with = [&](const char* pointer, const nlohmann::json& value) {
            nlohmann::json json = nlohmann::json::parse(whole);
            json[nlohmann::json::json_pointer(pointer)] = value;
            return QString::fromStdString(json.dump());
        };
        QTest::newRow("torn") << QString::fromStdString(whole.substr(0, whole.size() / 2))
                              << "line";
        QTest::newRow("empty") << QString() << "calibration";
        QTest::newRow("other version") << with("/calibration_version", 99) << "calibration_version";
        QTest::newRow("no seconds") << with("/products/3/seconds", -1.0) << "products[3].seconds";
        QTest::newRow("unknown operation")
            << with("/operations/0/operation", "dance") << "operations[0].operation";
        QTest::newRow("unknown form") << with("/products/0/form", "tt") << "products[0].form";
        QTest::newRow("absurd shape") << with("/products/0/m", 1e300) << "products[0].m";
        QTest::newRow("no wait") << with("/wakes/1/waited", 0.0) << "wakes[1].waited";
        QTest::newRow("no pace") << with("/paces/0", {{"date", ""}, {"interval", 0.0}})
                                 << "paces[0].interval";
        QTest::newRow("damaged pace") << with("/now/0", {{"date", ""},
                                                         {"interval", 1.0},
                                                         {"seconds", {{1.0, "x"}}},
                                                         {"alone", {1.0}},
                                                         {"crowded", {1.0}},
                                                         {"team", {1.0}}})
                                      << "now[0].seconds";
        QTest::newRow("no working set")
            << with("/streams/0", {{"threads", 1}, {"ranks", 1}, {"use", "weights"}})
            << "streams[0].working_set";
        QTest::newRow("run of no ranks")
            << with("/runs/0", {{"plan", "1x1x1"}, {"ranks", 0}, {"seconds", 1.0}})
            << "runs[0].ranks";
        QTest::newRow("no list") << with("/messages", 3) << "messages";
    }
    void damagedFilesAreRefused()
    {
        QFETCH(QString, content);
        QFETCH(QString, says);
        const QTemporaryDir folder;
        write(homeOf(folder), content.toStdString());
        const QString text = errorText([&] { loadCalibration(homeOf(folder)); });
        QVERIFY2(text.contains(says), qPrintable(text));
    }

    void tellsWhatIsOfAnotherMachine()
    {
        MachineCalibration other = madeUpMachine();
        other.cpu = "Z80";
        QVERIFY(QString::fromStdString(whyForeign(other)).contains("Z80"));
        MachineCalibration cores = madeUpMachine();
        cores.cores = 4000;
        QVERIFY(QString::fromStdString(whyForeign(cores)).contains("4000"));
    }
};

QTEST_APPLESS_MAIN(MachineCalibrationTest)
#include "machine_calibration_test.moc"
