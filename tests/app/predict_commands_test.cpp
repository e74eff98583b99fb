// `triaxis simulate` and `triaxis search`, as a person or a script calls them.

#include <QtTest>

#include "tests/support/command.h"

#include "engine/cost/step_estimate.h"
#include "engine/formats/model_shape.h"
#include "engine/search/plan_search.h"

#include <QFile>
#include <QJsonArray>

using namespace triaxis;

namespace
{

const QStringList job{"--model", "gpt2-medium", "--cluster", "dgx-a100",   "--devices",
                      "16",      "--batch",     "32",        "--sequence", "1024"};

TrainingJob sameJob()
{
    TrainingJob same;
    same.model = findModelShape("gpt2-medium");
    same.cluster = clusterPreset("dgx-a100");
    same.software = softwareProfile("megatron-core-2024");
    same.devices = 16;
    same.globalBatch = 32;
    same.sequence = 1024;
    return same;
}

bool near(double a, double b)
{
    return std::abs(a - b) <= 1e-9 * std::abs(b);
}

} // namespace

class PredictCommandsTest : public QObject
{
    Q_OBJECT

private slots:
    void simulateTellsTheLibrarysFigures()
    {
        const Command command;
        const QStringList plan{"--tp", "4", "--pp", "2", "--zero", "1", "--sequence-parallel"};
        const auto result =
            command.run(QStringList{"simulate"} + job + plan + QStringList{"--json"});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.objects().size(), 1);
        const QJsonObject json = result.objects().first();
        ParallelPlan same;
        same.dp = 2;
        same.tp = 4;
        same.pp = 2;
        same.zero = ZeroStage::Optimizer;
        same.sequenceParallel = true;
        const StepEstimate estimate = estimateStep(sameJob(), same);
        QVERIFY(near(json["step_s"].toDouble(), estimate.seconds));
        QVERIFY(near(json["memory_bytes"].toDouble(), estimate.memory));
        QVERIFY(near(json["tokens_per_s"].toDouble(), estimate.tokensPerSecond));
        QCOMPARE(json["plan"].toObject()["dp"].toInt(), 2);
        QCOMPARE(json["plan"].toObject()["zero"].toString(), QString("1"));
        QCOMPARE(json["microbatches"].toInt(), 16);
        QCOMPARE(json["stages"].toArray().size(), 2);
        QVERIFY(json["fits"].toBool());
        for (const char* key : {"model", "cluster", "devices", "software", "precision", "sequence",
                                "batch", "expected_error", "mfu", "parts_s", "device_memory_bytes",
                                "diagnostics", "critical_path_s", "model_flops_per_device"})
            QVERIFY2(json.contains(key), key);
        double parts = 0;
        for (const QJsonValue& part : json["parts_s"].toObject())
            parts += part.toDouble();
        QVERIFY(std::abs(parts - estimate.seconds) < 1e-6 * estimate.seconds);

        const auto text = command.run(QStringList{"simulate"} + job + plan);
        QCOMPARE(text.code, 0);
        QVERIFY(text.error.isEmpty());
        for (const char* word : {"predicted step", "tokens a second", "MFU", "dp 2 · tp 4", "±"})
            QVERIFY2(text.output.contains(word), word);
    }

    void disturbancesSlowTheStep()
    {
        const Command command;
        const QStringList plan{"--tp", "4", "--pp", "2", "--json", "--slow-rank", "3=2"};
        const QJsonObject json =
            command.run(QStringList{"simulate"} + job + plan).objects().value(0);
        QVERIFY(json["step_s"].toDouble() > 1.2 * json["unperturbed_step_s"].toDouble());
        QCOMPARE(json["perturbed"].toObject()["slowest_rank"].toInt(), 3);
    }

    void anotherDeviceIsReplacedInAllItsFigures()
    {
        const Command command;
        const QStringList plan{"--tp", "4", "--pp", "2", "--json"};
        const auto simulated = [&](const QString& other) {
            return command
                .run(QStringList{"simulate"} + job + plan + QStringList{"--device-of", other})
                .objects()
                .value(0);
        };
        const QJsonObject same = simulated("8-11=a100-80gb");
        QVERIFY(near(same["step_s"].toDouble(), same["unperturbed_step_s"].toDouble()));
        QVERIFY(same["fits"].toBool());
        // Its memory is a little slower; the other has a fifth of the rates, and PCIe only.
        const QJsonObject pcie = simulated("8-11=a100-pcie-80gb");
        QVERIFY(pcie["step_s"].toDouble() > same["step_s"].toDouble());
        const QJsonObject small = simulated("8-11=l4");
        QVERIFY(small["step_s"].toDouble() > 1.1 * pcie["step_s"].toDouble());
        const auto large = command.run({"simulate", "--model", "gpt3-175b", "--cluster", "dgx-a100",
                                        "--devices", "64", "--tp", "8", "--pp", "8", "--batch",
                                        "64", "--recompute", "full", "--device-of", "8-15=l4"});
        QCOMPARE(large.code, 0);
        QVERIFY(large.output.contains("stage 1 does not fit on NVIDIA L4"));
    }

    void filesAreWritten()
    {
        const Command command;
        const auto result = command.run(QStringList{"simulate"} + job +
                                        QStringList{"--pp", "4", "--svg", "a.svg", "--trace",
                                                    "a.json", "--csv", "a.csv", "--json"});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.objects().value(0)["files"].toArray().size(), 3);
        for (const char* name : {"a.svg", "a.json", "a.csv"})
            QVERIFY2(QFile(command.path(name)).size() > 100, name);
    }

    void reportTellsTheFigures()
    {
        const Command command;
        const auto result = command.run(QStringList{"simulate"} + job +
                                        QStringList{"--pp", "4", "--report", "a.html", "--json"});
        QCOMPARE(result.code, 0);
        QFile file(command.path("a.html"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString html = QString::fromUtf8(file.readAll());
        for (const char* word : {"<svg", "Step time", "±", "Peak memory", "stage 3", "pipeline 4",
                                 "Communication that nothing hides"})
            QVERIFY2(html.contains(word), word);
        QVERIFY(!html.contains("<script") && !html.contains("href=") && !html.contains("nan"));
    }

    void searchTellsTheLibrarysFigures()
    {
        const Command command;
        const QStringList asked{"--top",  "3",         "--pareto",
                                "--json", "--explain", "tp=8,pp=2,mb=1,schedule=gpipe"};
        const auto result = command.run(QStringList{"search"} + job + asked);
        QCOMPARE(result.code, 0);
        const QJsonObject json = result.objects().value(0);
        const QJsonObject one = json["searches"].toArray().first().toObject();
        SearchRequest request;
        request.job = sameJob();
        request.keep = 3;
        request.front = true;
        const SearchResult found = searchPlans(request);
        const QJsonArray best = one["best"].toArray();
        QCOMPARE(best.size(), 3);
        for (int index = 0; index < 3; ++index) {
            const QJsonObject row = best[index].toObject();
            QVERIFY(near(row["seconds"].toDouble(), found.best[std::size_t(index)].seconds));
            QVERIFY(near(row["memory_bytes"].toDouble(), found.best[std::size_t(index)].memory));
        }
        QCOMPARE(one["front"].toArray().size(), int(found.front.size()));
        QCOMPARE(qint64(one["layouts"].toDouble()), qint64(found.counts.layouts));
        for (const char* key : {"rule_of_thumb", "rejected", "exact", "uneven_splits", "seconds",
                                "memory_limit_bytes"})
            QVERIFY2(one.contains(key), key);

        const QJsonObject explained = json["explained"].toObject();
        QCOMPARE(explained["plan"].toObject()["schedule"].toString(), QString("gpipe"));
        QVERIFY(explained["slower_by"].toDouble() > 0);
        double loses = 0;
        for (const QJsonValue& part : explained["loses_seconds"].toObject())
            loses += part.toDouble();
        const double slower = explained["plan"].toObject()["seconds"].toDouble() -
                              best[0].toObject()["seconds"].toDouble();
        QVERIFY(std::abs(loses - slower) < 1e-6 * found.best[0].seconds);
    }

    void searchPrintsATable()
    {
        const Command command;
        const auto result = command.run(QStringList{"search"} + job +
                                        QStringList{"--explain", "tp=3", "--top", "2"});
        QCOMPARE(result.code, 0);
        QVERIFY(result.error.isEmpty());
        QVERIFY(result.output.contains("do not divide by 3"));
        QVERIFY(result.output.contains("gpt2-medium on 16"));
    }

    void badInputIsRefusedInOneLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        for (const char* name : {"simulate", "search"}) {
            const auto row = [&](const char* what, const QStringList& rest, const char* says) {
                QTest::addRow("%s, %s", name, what) << QStringList{name} + rest << says;
            };
            row("unknown model", {"--model", "nonsense"}, "nonsense");
            row("unknown cluster", {"--cluster", "nonsense"}, "nonsense");
            row("unknown profile", {"--profile", "nonsense"}, "nonsense");
            row("no devices", {"--devices", "0"}, "--devices");
            row("words for devices", {"--devices", "many"}, "many");
            row("devices beyond all bounds", {"--devices", "99999999999"}, "99999999999");
            row("negative batch", {"--batch", "-4"}, "--batch");
            row("no tokens", {"--sequence", "0"}, "--sequence");
        }
        QTest::newRow("a billion devices")
            << QStringList{"simulate", "--devices", "1000000000"} << "1048576";
        QTest::newRow("a billion devices to search")
            << QStringList{"search", "--devices", "1000000000", "--batch", "4"} << "no layout";
        QTest::newRow("batch that does not divide")
            << QStringList{"simulate", "--devices", "7"} << "do not divide by 7";
        QTest::newRow("odd stages both ways")
            << QStringList{"simulate", "--pp", "3", "--dp", "1", "--schedule", "dualpipe"}
            << "does not run on 3 stages";
        QTest::newRow("too many chunks for a searched order")
            << QStringList{"simulate",         "--pp", "4", "--dp", "1", "--schedule", "auto",
                           "--virtual-stages", "3"}
            << "virtual stages";
        QTest::newRow("unwritable picture")
            << QStringList{"simulate", "--tp", "8", "--pp", "8", "--svg", "/nowhere/a.svg"}
            << "/nowhere/a.svg";
        QTest::newRow("no rank") << QStringList{"simulate", "--slow-rank", "first=2"} << "first=2";
        QTest::newRow("unknown schedule")
            << QStringList{"search", "--schedules", "zigzag"} << "zigzag";
        QTest::newRow("nothing fits")
            << QStringList{"search", "--devices", "2", "--batch", "2"} << "no layout fits";
    }

    void badInputIsRefusedInOneLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const Command command;
        const auto result = command.run(arguments, 60);
        QVERIFY(result.code != 0);
        QCOMPARE(result.error.trimmed().count('\n'), 0);
        QVERIFY2(result.error.startsWith("triaxis: "), qPrintable(result.error));
        QVERIFY2(result.error.contains(says), qPrintable(result.error));
    }
};

QTEST_GUILESS_MAIN(PredictCommandsTest)
#include "predict_commands_test.moc"
