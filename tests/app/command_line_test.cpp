// The real `triaxis`, as a person or a script calls it.

#include "tests/support/command.h"

#include "engine/formats/hf_config.h"
#include "engine/record/records.h"
#include "engine/record/run_directory.h"

#include <QDir>
#include <QJsonArray>
#include <QFile>
#include <QTest>

#include <cmath>

using namespace triaxis;

namespace
{

const QStringList tinyRun{"run",     "--model", "gpt2-1m", "--data",       "synthetic", "--steps", "3",
                          "--batch", "4",       "--microbatch", "1", "--sequence", "16"};

void writeFile(const QString& path, const QByteArray& content)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(content), qint64(content.size()));
}

QString onlyRun(const Command& command)
{
    const QDir runs(command.path("home/runs"));
    const QStringList found = runs.entryList(QDir::Dirs | QDir::NoDotAndDotDot);
    return found.size() == 1 ? runs.filePath(found.first()) : QString();
}

} // namespace

class CommandLineTest : public QObject
{
    Q_OBJECT

private slots:
    void everyCommandHasHelp()
    {
        const Command command;
        for (const char* name : {"run", "demo", "history", "show", "export", "schedule", "doctor"}) {
            const auto result = command.run({name, "--help"});
            QCOMPARE(result.code, 0);
            QVERIFY2(result.output.contains("--help"), name);
        }
        QCOMPARE(command.run({"--version"}).code, 0);
    }

    void wrongWordsAreRefusedInOneLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("no command") << QStringList{} << "subcommand";
        QTest::newRow("unknown command") << QStringList{"fly"} << "fly";
        QTest::newRow("unknown option") << QStringList{"run", "--wings", "2"} << "--wings";
        QTest::newRow("no number") << QStringList{"run", "--dp", "two"} << "--dp";
        QTest::newRow("unknown model") << QStringList{"run", "--model", "gpt-9"} << "gpt-9";
        QTest::newRow("unknown schedule") << QStringList{"run", "--schedule", "zigzag"} << "zigzag";
        QTest::newRow("schedule of two chunks") << QStringList{"run", "--pp", "2", "--schedule", "zb-v", "--virtual", "3"} << "chunks";
        QTest::newRow("odd stages") << QStringList{"run", "--pp", "3", "--schedule", "chimera"} << "even";
        QTest::newRow("no time") << QStringList{"run", "--pace", "quick"} << "quick";
        QTest::newRow("two times") << QStringList{"run", "--pace", "20ms,20ms"} << "20ms,20ms";
        QTest::newRow("negative time") << QStringList{"run", "--pace=-1ms"} << "-1ms";
        QTest::newRow("unknown axis") << QStringList{"run", "--pace", "1ms", "--link", "expert=1us"} << "expert";
        QTest::newRow("no bandwidth") << QStringList{"run", "--pace", "1ms", "--link", "data=1us,fast"} << "fast";
        QTest::newRow("link without slots") << QStringList{"run", "--link", "data=1us"} << "--pace";
        QTest::newRow("missing data") << QStringList{"run", "--data", "nowhere.txt"} << "nowhere.txt";
        QTest::newRow("missing batches") << QStringList{"run", "--batches", "nowhere.json"} << "nowhere.json";
        QTest::newRow("missing plan") << QStringList{"run", "--plan", "nowhere.json"} << "nowhere.json";
        QTest::newRow("no permutation") << QStringList{"run", "--order", "tp-tp-pp"} << "tp-tp-pp";
        QTest::newRow("no layers") << QStringList{"run", "--pp", "2", "--layers-per-stage", "2;2"} << "2;2";
        QTest::newRow("heads do not divide") << QStringList{"run", "--tp", "3"} << "layout.tp";
        QTest::newRow("batch does not divide") << QStringList{"run", "--dp", "3", "--batch", "8"} << "batch";
        QTest::newRow("too many stages") << QStringList{"run", "--pp", "999"} << "layout.pp";
        QTest::newRow("zero") << QStringList{"run", "--dp", "0"} << "layout.dp";
        QTest::newRow("absurd") << QStringList{"run", "--dp", "2147483647", "--tp", "2147483647"} << "layout";
        QTest::newRow("no such schedule") << QStringList{"schedule", "zigzag"} << "zigzag";
        QTest::newRow("no such costs") << QStringList{"schedule", "1f1b", "--costs", "1,2"} << "1,2";
        QTest::newRow("no room for an order") << QStringList{"schedule", "auto", "--memory", "0.1"} << "0.1";
        QTest::newRow("costs too far apart") << QStringList{"schedule", "1f1b", "--costs", "1e-300,1,1"} << "1e-300";
        QTest::newRow("endless way") << QStringList{"schedule", "1f1b", "--transfer", "1e308"} << "--transfer";
        QTest::newRow("too many steps") << QStringList{"schedule", "gpipe", "--pp", "1024", "--microbatches", "65536"} << "steps";
        QTest::newRow("endless latency") << QStringList{"run", "--pp", "2", "--pace", "1ms", "--link", "pipeline=1e300s"} << "latency";
        QTest::newRow("no way at all") << QStringList{"run", "--pp", "2", "--pace", "1ms", "--link", "pipeline=1us,1e-300"} << "bandwidth";
        QTest::newRow("plan is a folder") << QStringList{"run", "--plan", "/tmp"} << "/tmp";
        QTest::newRow("two forms") << QStringList{"schedule", "1f1b", "--csv", "--svg"} << "--csv";
        QTest::newRow("no such run") << QStringList{"show", "20990101"} << "20990101";
        QTest::newRow("no run at all") << QStringList{"export", "last"} << "triaxis";
        QTest::newRow("unknown format") << QStringList{"export", "last", "--format", "mp3"} << "mp3";
        QTest::newRow("steps in the wrong order") << QStringList{"export", "last", "--first-step", "10", "--last-step", "3"} << "--first-step 10";
        QTest::newRow("no such schedule file") << QStringList{"schedule", "nowhere.csv"} << "no such file";
        QTest::newRow("no such order to run") << QStringList{"run", "--schedule", "nowhere.csv"} << "nowhere.csv";
        QTest::newRow("memory of a named schedule") << QStringList{"schedule", "1f1b", "--memory", "3"} << "--memory";
        QTest::newRow("group of a plain schedule") << QStringList{"schedule", "1f1b", "--group", "3"} << "--group";
        QTest::newRow("control characters") << QStringList{"schedule", "a\033[31mb"} << "a\\x1b[31mb";
        QTest::newRow("unknown state") << QStringList{"history", "--state", "tired"} << "tired";
    }

    void wrongWordsAreRefusedInOneLine()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QString, says);
        const Command command;
        const auto result = command.run(arguments, 30);
        QVERIFY2(result.code == 1 || result.code == 2, qPrintable(result.error));
        QVERIFY2(result.error.contains(says), qPrintable(result.error));
        QVERIFY2(!QDir(command.path("home/runs")).exists() || QDir(command.path("home/runs")).isEmpty(),
                 "a run directory was left behind");
    }

    void misspeltSlotsAreRefused()
    {
        const Command command;
        QFile file(command.path("slots.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"forwards":[0.001],"input":[0.001],"weight":[0.001]})");
        file.close();
        const auto result = command.run({"run", "--pace", file.fileName()}, 30);
        QVERIFY2(result.code == 1 || result.code == 2, qPrintable(result.error));
        QVERIFY2(result.error.contains("forwards"), qPrintable(result.error));
    }

    void oneObjectAStepAndTheRunIsKept()
    {
        const Command command;
        const auto run = command.run(tinyRun + QStringList{"--dp", "2", "--json", "--label", "kept"});
        QVERIFY2(run.code == 0, qPrintable(run.error));
        const auto steps = run.steps();
        QCOMPARE(steps.size(), 3);
        for (int i = 0; i < 3; ++i) {
            QCOMPARE(steps[i]["step"].toInt(), i + 1);
            QVERIFY(steps[i]["loss"].toDouble() > 0.5);
            QVERIFY(steps[i]["grad_norm"].toDouble() > 0);
        }

        const auto history = command.run({"history", "--json"}).objects();
        QCOMPARE(history.size(), 1);
        QCOMPARE(history[0]["state"].toString(), "finished");
        QCOMPARE(history[0]["label"].toString(), "kept");
        QCOMPARE(history[0]["steps"].toInt(), 3);
        QCOMPARE(history[0]["final_loss"].toDouble(), steps[2]["loss"].toDouble());

        const auto shown = command.run({"show", "last", "--json"}).objects();
        QCOMPARE(shown.size(), 1);
        for (const QJsonValue& spans : shown[0]["spans_by_rank"].toArray())
            QVERIFY(spans.toInt() > 0);
        QCOMPARE(shown[0]["spans_by_rank"].toArray().size(), 2);

        const auto rebuilt = command.run({"history", "--rebuild", "--json"}).objects();
        QCOMPARE(rebuilt, history);
    }

    void schedulesAreShown()
    {
        const Command command;
        const auto list = command.run({"schedule"});
        QVERIFY(list.code == 0 && list.output.contains("zb-h1") && list.output.contains("dualpipe-v"));
        const auto text = command.run({"schedule", "zb-h1", "--pp", "4", "--microbatches", "8"});
        QVERIFY2(text.code == 0 && text.output.contains("B in the zero-bubble papers"), qPrintable(text.output));
        QVERIFY2(text.output.contains("closed form: "), qPrintable(text.output));
        const auto none = command.run({"schedule", "v-half", "--pp", "4", "--microbatches", "8"});
        QVERIFY2(none.output.contains("no closed form"), qPrintable(none.output));
        const auto svg = command.run({"schedule", "v-half", "--svg"});
        QVERIFY(svg.output.startsWith("<svg") || svg.output.startsWith("<?xml"));
        const auto csv = command.run({"schedule", "dualpipe-v", "--pp", "4", "--microbatches", "10", "--csv"});
        QVERIFY(csv.output.contains("OVERLAP_F_B"));
        writeFile(command.path("order.csv"), csv.output.toUtf8());
        QCOMPARE(command.run({"schedule", "order.csv", "--csv"}).output, csv.output);
        const auto searched = command.run({"schedule", "auto", "--pp", "4", "--microbatches", "8"});
        QVERIFY2(searched.code == 0 && searched.output.contains("gap"), qPrintable(searched.error));
    }

    void schedulesBringTheirChunks()
    {
        const Command command;
        const auto result =
            command.run(tinyRun + QStringList{"--pp", "2", "--schedule", "zb-v"});
        QVERIFY2(result.code == 0, qPrintable(result.error));
        QVERIFY2(result.error.contains("2 chunks a stage"), qPrintable(result.error));
        const RunPlan plan = RunDirectory::open(onlyRun(command).toStdString()).plan();
        QCOMPARE(plan.layout.virtualStages, 2);
    }

    void halvingTakesEvenMicrobatchesElseFallsBack()
    {
        const Command whole, odd;
        QStringList run = tinyRun + QStringList{"--pp", "2", "--schedule", "chimera-halving"};
        const int size = int(run.indexOf("--microbatch")) + 1;
        run[size] = "2";
        const auto halved = whole.run(run);
        QVERIFY2(halved.code == 0, qPrintable(halved.error));
        RunPlan plan = RunDirectory::open(onlyRun(whole).toStdString()).plan();
        QCOMPARE(plan.training.schedule, std::string("chimera-halving"));
        QCOMPARE(plan.training.batch.microbatch, 1);
        run[size] = "1";
        const auto fallen = odd.run(run);
        QVERIFY2(fallen.code == 0 && fallen.error.contains("direct concatenation"), qPrintable(fallen.error));
        plan = RunDirectory::open(onlyRun(odd).toStdString()).plan();
        QCOMPARE(plan.training.schedule, std::string("chimera"));
    }

    void aScheduleFileRunsAndIsKept()
    {
        const Command command;
        writeFile(command.path("order.csv"), "0F0,0F1,0I0,0I1,0W0,0W1\n1F0,1I0,1F1,1I1,1W0,1W1\n");
        QStringList run = tinyRun + QStringList{"--pp", "2", "--schedule", "order.csv"};
        const int batch = int(run.indexOf("--batch")) + 1;
        run[batch] = "2";
        const auto result = command.run(run);
        QVERIFY2(result.code == 0, qPrintable(result.error));
        const RunPlan plan = RunDirectory::open(onlyRun(command).toStdString()).plan();
        QCOMPARE(plan.training.schedule, std::string("custom"));
        QVERIFY(plan.training.scheduleCsv.starts_with("0F0"));
        run[batch] = "3";
        const auto other = command.run(run);
        QVERIFY2(other.code == 2 && other.error.contains("microbatches"), qPrintable(other.error));
    }

    void oddOrdersAreRefusedBeforeRanksStart()
    {
        const Command command;
        for (const char* order : {"# replicas 2\n0F0,0B0\n1F1,1B1\n", "# replicas 4\n0F0,1F1,0B0,1B1\n",
                                  "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "\n"}) {
            writeFile(command.path("order.csv"), order);
            const auto shown = command.run({"schedule", "order.csv"});
            QVERIFY2(shown.code == 1 || shown.code == 2, qPrintable(QString::number(shown.code) + shown.output));
            QStringList run = tinyRun + QStringList{"--pp", "2", "--schedule", "order.csv"};
            run[int(run.indexOf("--batch")) + 1] = "2";
            const auto result = command.run(run);
            QVERIFY2(result.code == 1 || result.code == 2, qPrintable(result.output));
            QVERIFY2(onlyRun(command).isEmpty(), "a run was stored");
        }
    }

    void anOrderIsSearchedForThePlan()
    {
        const Command command;
        const auto result = command.run(tinyRun + QStringList{"--pp", "2", "--schedule", "auto", "--memory", "3"});
        QVERIFY2(result.code == 0 && result.error.contains("longer than any order must"), qPrintable(result.error));
        const RunPlan plan = RunDirectory::open(onlyRun(command).toStdString()).plan();
        QCOMPARE(plan.training.schedule, std::string("auto"));
        QVERIFY(!plan.training.scheduleCsv.empty());
        const auto none = command.run(tinyRun + QStringList{"--pp", "2", "--schedule", "auto", "--memory", "0.1"});
        QVERIFY2(none.code != 0 && none.error.contains("0.1"), qPrintable(none.error));
    }

    void everyScheduleIsCheckedAgainstOneRank()
    {
        for (const char* schedule : {"zb-v", "dualpipe", "auto"}) {
            const Command command;
            const auto result = command.run(
                tinyRun + QStringList{"--pp", "2", "--schedule", schedule, "--check-against", "1x1x1"});
            QVERIFY2(result.code == 0 && result.output.contains("The layouts agree"), qPrintable(result.error));
        }
    }

    void pacedRunsKeepTheirSlots()
    {
        const Command command;
        const auto result = command.run(
            tinyRun + QStringList{"--pp", "2", "--pace", "30ms,40ms,20ms", "--link", "pipeline=2ms,1GB/s", "--quiet"});
        QVERIFY2(result.code == 0, qPrintable(result.error));
        const RunDirectory run = RunDirectory::open(onlyRun(command).toStdString());
        const PacePlan pace = run.plan().execution.pace;
        QCOMPARE(pace.input, std::vector<double>{0.04});
        QCOMPARE(pace.pipeline, (PacedLink{0.002, 1e9}));
        const RunRecords records = readRun(run);
        QCOMPARE(records.all.paced.size(), std::size_t(3 * 2 * (4 * 2 + 1))); // steps, ranks, F and B of 4 and the update
        for (const SlotSample& slot : records.all.paced) {
            const double length = slot.id.kind() == Kind::Forward    ? 0.03
                                  : slot.id.kind() == Kind::Backward ? 0.06
                                                                     : 0;
            QVERIFY(std::abs(slot.end - slot.begin - length) < 1e-9);
            QVERIFY(slot.work > 0);
        }
        const auto shown = command.run({"show", "last"});
        QVERIFY2(shown.output.contains("paced: forward") && shown.output.contains("stage 0  2, the program says 2"),
                 qPrintable(shown.output));
    }

    void aRepeatIsHeldToItsData()
    {
        const Command command;
        const QStringList run{"run",     "--data", "text.txt", "--steps",    "1",  "--batch",
                              "1",       "--microbatch", "1", "--sequence", "16", "--quiet"};
        writeFile(command.path("text.txt"), QByteArray(1000, 'a'));
        const auto first = command.run(run);
        QVERIFY2(first.code == 0, qPrintable(first.error));
        const QString plan = onlyRun(command) + "/run.json";
        QCOMPARE(command.run({"run", "--plan", plan, "--quiet"}).code, 0);
        writeFile(command.path("text.txt"), QByteArray(1000, 'b'));
        const auto repeat = command.run({"run", "--plan", plan, "--quiet"});
        QVERIFY(repeat.code != 0);
        QCOMPARE(repeat.error.count('\n'), 1);
        QVERIFY2(repeat.error.contains("text.txt has changed"), qPrintable(repeat.error));
        QCOMPARE(command.run({"run", "--plan", plan, "--data", "text.txt", "--quiet"}).code, 0);
    }

    void aDraftIsCompletedBeforeItRuns()
    {
        using namespace triaxis;
        const Command command;
        writeFile(command.path("text.txt"), QByteArray(1000, 'a'));
        RunPlan plan;
        plan.model = modelPreset("gpt2-1m");
        plan.training.steps = 1;
        plan.training.batch = {1, 1, 16};
        const std::filesystem::path home = command.path("home").toStdString();
        const RunDirectory synthetic = RunDirectory::create(home, plan, {});
        plan.data.kind = DataKind::Text;
        plan.data.path = command.path("text.txt").toStdString();
        const RunDirectory text = RunDirectory::create(home, plan, {});
        plan.data.sha256 = std::string(64, '0');
        const RunDirectory changed = RunDirectory::create(home, plan, {});
        const auto start = [&](const RunDirectory& draft) {
            return command.run(
                {"run", "--quiet", "--run-directory", QString::fromStdString(draft.path().string())});
        };
        QCOMPARE(start(synthetic).code, 0);
        QVERIFY(synthetic.plan().data.bestLoss > 0);
        QCOMPARE(start(text).code, 0);
        QCOMPARE(text.plan().data.sha256.size(), std::size_t(64));
        const auto refused = start(changed);
        QVERIFY(refused.code != 0);
        QVERIFY2(refused.error.contains("has changed"), qPrintable(refused.error));
        QVERIFY(changed.status().state == RunState::Failed);
        QVERIFY(changed.status().reason.find("has changed") != std::string::npos);
    }

    void theHistorySaysWhatItMet()
    {
        const Command command;
        QCOMPARE(command.run(tinyRun + QStringList{"--quiet"}).code, 0);
        for (const QStringList& arguments :
             {QStringList{"history", "--json"}, {"show", "last", "--json"}, {"export", "-o", "x.csv"}}) {
            writeFile(command.path("home/history.db"), QByteArray(10000, 'x'));
            const auto result = command.run(arguments);
            QCOMPARE(result.code, 0);
            QVERIFY2(result.error.startsWith("triaxis: ") && result.error.contains("history.db"),
                     qPrintable(result.error));
            QVERIFY(command.run(arguments).error.isEmpty());
        }
    }

    void ranksOfOneHostShareItsClock()
    {
        const Command command;
        QCOMPARE(command.run(tinyRun + QStringList{"--dp", "2", "--quiet"}).code, 0);
        const auto shown = command.run({"show"});
        QVERIFY2(shown.output.contains("share one host clock"), qPrintable(shown.output));
        QVERIFY(!shown.output.contains("± 1"));
    }

    void exportsAreSound()
    {
        const Command command;
        QCOMPARE(command.run(tinyRun + QStringList{"--pp", "2", "--tp", "2", "--detail", "--quiet"}).code, 0);
        QCOMPARE(command.run({"export", "last", "-o", "run.json"}).code, 0);
        const auto checked = command.run({"export", "--check", "run.json"});
        QVERIFY2(checked.code == 0, qPrintable(checked.error));
        QCOMPARE(command.run({"export", "last", "-o", "run.csv"}).code, 0);
        QCOMPARE(command.run({"export", "last", "-o", "run.html"}).code, 0);
        for (const char* name : {"run.csv", "run.html"})
            QVERIFY(QFile(command.path(name)).size() > 1000);
        const auto full = command.run({"export", "last", "-o", "/dev/full"});
        QCOMPARE(full.code, 1);
    }

    void aLayoutIsCheckedAgainstOneRank()
    {
        const Command command;
        const auto check = command.run(tinyRun + QStringList{"--dp", "2", "--tp", "2", "--pp", "2", "--check-against",
                                                             "1x1x1", "--json"});
        QVERIFY2(check.code == 0, qPrintable(check.output + check.error));
        int gradients = 0;
        for (const QJsonObject& line : check.objects()) {
            if (line["check"].toString() != "gradient")
                continue;
            ++gradients;
            QVERIFY(line["within"].toBool());
            QVERIFY(line["shuffled"].toDouble() > line["bound"].toDouble());
        }
        QVERIFY(gradients > 20);
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"
