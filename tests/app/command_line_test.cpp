// The real `triaxis`, as a person or a script calls it.

#include "tests/support/command.h"

#include <QDir>
#include <QJsonArray>
#include <QFile>
#include <QTest>

namespace
{

const QStringList tinyRun{"run",     "--model", "gpt2-1m", "--data",       "synthetic", "--steps", "3",
                          "--batch", "4",       "--microbatch", "1", "--sequence", "16"};

} // namespace

class CommandLineTest : public QObject
{
    Q_OBJECT

private slots:
    void everyCommandHasHelp()
    {
        const Command command;
        for (const char* name : {"run", "demo", "history", "show", "export", "doctor"}) {
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
        QTest::newRow("no such run") << QStringList{"show", "20990101"} << "20990101";
        QTest::newRow("no run at all") << QStringList{"export", "last"} << "triaxis";
        QTest::newRow("unknown format") << QStringList{"export", "last", "--format", "mp3"} << "mp3";
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
