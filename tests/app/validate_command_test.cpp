// `triaxis validate`, as a person or a script calls it.

#include "tests/support/command.h"

#include <QDir>
#include <QFile>
#include <QTest>

namespace
{

const QByteArray header = "gpus,gbs,mbs,hidden,heads,layers,seq_len,tp,dp,pp,iter_time_ms,gpu,"
                          "schedule,activation_checkpointing,framework,source\n";
const QByteArray goodRow = "4,16,2,1024,16,12,1024,1,4,1,120,A100,1f1b,true,Megatron-DeepSpeed,x\n";
const QByteArray badRow =
    "4,16,2,1024,16,12,1024,1,4,1,quick,A100,1f1b,true,Megatron-DeepSpeed,x\n";

QString writeTable(const Command& command, const QString& name, const QByteArray& content)
{
    const QString path = command.path(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write %s", qPrintable(path));
    return path;
}

const QStringList summaryKeys{"rows", "mape", "bias", "rank", "pick", "skipped"};

} // namespace

class ValidateCommandTest : public QObject
{
    Q_OBJECT

private slots:
    void jsonEndsWithTheScores()
    {
        const Command command;
        const QString table = writeTable(command, "runs.csv", header + goodRow + badRow);
        const auto result = command.run({"validate", table, "--json"});
        QCOMPARE(result.code, 0);
        const QJsonObject last = result.objects().last();
        QCOMPARE(last.size(), qsizetype(summaryKeys.size()));
        for (const QString& key : summaryKeys)
            QVERIFY2(last.contains(key), qPrintable(key));
        QCOMPARE(last["rows"].toInt(), 1);
        QCOMPARE(last["skipped"].toInt(), 1);
        QVERIFY(last["mape"].isDouble());
        QVERIFY(last["rank"].isNull());
    }

    void aTableListsWhatItSkipsWithTheReason()
    {
        const Command command;
        const QString table = writeTable(command, "runs.csv", header + goodRow + badRow);
        const auto result = command.run({"validate", table});
        QCOMPARE(result.code, 0);
        QVERIFY(result.output.contains("1 rows priced, 1 not"));
        QVERIFY(result.output.contains("iter_time_ms is \"quick\""));
    }

    void aFolderIsOneLineATableAndATotal()
    {
        const Command command;
        writeTable(command, "tables/first.csv", header + goodRow);
        writeTable(command, "tables/second.csv", header + goodRow + badRow);
        writeTable(command, "tables/other.csv", "a,b\n1,2\n");
        writeTable(command, "tables/deeper/third.csv", header + goodRow);
        const auto result = command.run({"validate", command.path("tables")});
        QCOMPARE(result.code, 0);
        QCOMPARE(result.output.count("first"), 1);
        QCOMPARE(result.output.count("second"), 1);
        QVERIFY(!result.output.contains("third"));
        QVERIFY(result.output.contains("\ntotal "));
        QVERIFY(result.output.contains("other: "));

        const auto json = command.run({"validate", command.path("tables"), "--json"});
        QCOMPARE(json.code, 0);
        QCOMPARE(json.objects().size(), 3);
        const QJsonObject last = json.objects().last();
        for (const QString& key : summaryKeys)
            QVERIFY2(last.contains(key), qPrintable(key));
        QCOMPARE(last["rows"].toInt(), 2);
        QCOMPARE(last["skipped"].toInt(), 1);
        QCOMPARE(last["tables"].toInt(), 2);
    }

    void halvesAndShareAreTold()
    {
        const Command command;
        QByteArray rows = header + badRow;
        for (int row = 0; row < 20; ++row)
            rows += goodRow;
        const QString table = writeTable(command, "runs.csv", rows);
        const auto text = command.run({"validate", table});
        QCOMPARE(text.code, 0);
        QVERIFY(text.output.contains("of those that state what is needed"));
        QVERIFY(text.output.contains("halves: mean error "));
        QVERIFY(text.output.contains("profile megatron-deepspeed: fitted on "));
        const auto json = command.run({"validate", table, "--json", "--rows"});
        QVERIFY(json.output.contains("\"halves\":["));
        QVERIFY(json.output.contains("\"priced_share\":100"));
    }

    void profilesAreShownWithWhatTheyHoldFor()
    {
        const Command command;
        const auto result = command.run({"validate", "--profiles"});
        QCOMPARE(result.code, 0);
        for (const char* part : {"megatron-2021: ", "  source   ", "  fit      ", "  domain   ",
                                 "fitted on NVIDIA A100", "gemmEfficiency"})
            QVERIFY2(result.output.contains(part), part);
    }

    void theReportIsAPage()
    {
        const Command command;
        writeTable(command, "tables/first.csv", header + goodRow + badRow);
        const QString page = command.path("board.html");
        const auto result =
            command.run({"validate", command.path("tables"), "--report", page, "--json"});
        QCOMPARE(result.code, 0);
        QFile file(page);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray html = file.readAll();
        QVERIFY(html.startsWith("<!DOCTYPE html>"));
        QVERIFY(html.contains("1 row skipped"));
        QCOMPARE(html.count("<div id=\"t-first\">"), qsizetype(1));
        const auto lost =
            command.run({"validate", command.path("tables"), "--report", "/nowhere/board.html"});
        QVERIFY(lost.code != 0);
        QVERIFY(lost.error.contains("/nowhere"));
    }

    void wrongInputIsOneClearLine_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("empty file") << QByteArray();
        QTest::newRow("unknown format") << QByteArray("a,b\n1,2\n");
        QTest::newRow("no text") << QByteArray("\0\1\2\3\n\n", 6);
    }

    void wrongInputIsOneClearLine()
    {
        QFETCH(QByteArray, content);
        const Command command;
        const QString path = writeTable(command, "odd.csv", content);
        const auto result = command.run({"validate", path});
        QVERIFY(result.code != 0);
        QVERIFY(result.output.isEmpty());
        QCOMPARE(result.error.trimmed().count('\n'), 0);
        QVERIFY2(result.error.contains("odd"), qPrintable(result.error));
    }

    void missingFilesAndEmptyFoldersAreNamed()
    {
        const Command command;
        const auto missing = command.run({"validate", "nowhere.csv"});
        QVERIFY(missing.code != 0);
        QVERIFY(missing.error.contains("nowhere.csv"));
        QDir().mkpath(command.path("bare"));
        const auto bare = command.run({"validate", command.path("bare")});
        QVERIFY(bare.code != 0);
        QVERIFY(bare.error.contains("no CSV table"));
        QVERIFY(command.run({"validate"}).code != 0);
    }
};

QTEST_APPLESS_MAIN(ValidateCommandTest)
#include "validate_command_test.moc"
