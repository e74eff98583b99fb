// The commands that keep the history, as a person calls them.

#include "tests/storage/history_fixture.h"
#include "tests/support/command.h"

#include <QDir>
#include <QJsonArray>
#include <QTest>

using namespace triaxis;
using namespace triaxis::test;

class HistoryCommandsTest : public QObject
{
    Q_OBJECT

private slots:
    void runsAreNotedFoundAndCounted()
    {
        const Command command;
        const QString first = made(command, 1), second = made(command, 2);
        auto result = command.run(
            {"edit", first, "--tag", "workshop", "--tag", "b", "--note", "a remark", "--star"});
        QVERIFY2(result.code == 0 && result.output.contains("#workshop"), qPrintable(result.error));
        QCOMPARE(
            command
                .run({"edit", first, "--untag", "b", "--add-note", "and more", "--label", "named"})
                .code,
            0);
        const auto found =
            command.run({"history", "REMARK", "--tag", "workshop", "--starred", "--json"})
                .objects();
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0]["run"].toString(), first);
        QCOMPARE(found[0]["note"].toString(), "a remark\nand more");
        QCOMPARE(found[0]["label"].toString(), "named");
        QCOMPARE(found[0]["tags"].toArray(), QJsonArray{"workshop"});
        QCOMPARE(ids(command, {"--layout", "1x1x2"}), QStringList{second});
        QCOMPARE(ids(command, {"--ranks", "2-"}), QStringList{second});
        QCOMPARE(ids(command, {"--order", "ranks", "--ascending"}), (QStringList{first, second}));
        QCOMPARE(ids(command, {"--order", "ranks", "--limit", "1", "--offset", "1"}),
                 QStringList{first});
        const auto counts = command.run({"history", "--counts", "--json"}).objects();
        QCOMPARE(counts.value(0)["tag"].toObject()["workshop"].toInt(), 1);
        QVERIFY(command.run({"history"}).output.contains("★ named #workshop"));
        QVERIFY(command.run({"history", "--storage"}).output.contains("2 runs"));
    }

    void aBundleTravels()
    {
        const Command here, there;
        const QString run = made(here, 2);
        const QString file = there.path("handed.triaxis-run");
        QCOMPARE(here.run({"bundle", run, "-o", file}).code, 0);
        auto result = there.run({"import", file});
        QVERIFY2(result.code == 0 && result.output.contains("imported " + run),
                 qPrintable(result.error));
        QCOMPARE(ids(there, {"--kind", "imported"}), QStringList{run});
        QCOMPARE(ids(there, {"--kind", "paced"}), QStringList{});
        QVERIFY(there.run({"import", file}).output.contains("here already"));
        QCOMPARE(ids(there, {}), QStringList{run});
        QVERIFY(there.run({"show", run}).output.contains("3 steps"));
    }

    void deletedRunsComeBackOrGoForGood()
    {
        const Command command;
        const QString run = made(command, 1);
        QVERIFY(command.run({"delete", run}).output.contains("restore"));
        QCOMPARE(ids(command, {}), QStringList{});
        QCOMPARE(ids(command, {"--deleted"}), QStringList{run});
        QCOMPARE(command.run({"restore", run}).code, 0);
        QCOMPARE(ids(command, {}), QStringList{run});
        QCOMPARE(command.run({"delete", "last"}).code, 0);
        QVERIFY(command.run({"delete", "--for-good", "--all"}).output.contains("1 run"));
        QCOMPARE(ids(command, {"--deleted"}), QStringList{});
    }

    void pruningAsksFirst()
    {
        const Command command;
        const QString run = made(command, 2);
        const auto sizes = [&] {
            return command.run({"history", "--json"}).objects().value(0)["prunable_bytes"].toInt();
        };
        const QString none = command.run({"prune"}).output;
        QVERIFY2(none.contains("10 newest") && none.contains("--keep"), qPrintable(none));
        const int before = sizes();
        QVERIFY(before > 0);
        QVERIFY(command.run({"prune", "--keep", "0"}).output.contains("--yes"));
        QCOMPARE(sizes(), before);
        const auto done = command.run({"prune", "--keep", "0", "--yes", "--json"}).objects();
        QCOMPARE(done.value(0)["freed_bytes"].toInt(), before);
        QCOMPARE(sizes(), 0);
        QVERIFY(command.run({"show", run}).output.contains("3 steps"));
    }

    void wrongWordsAreToldInOneLine_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("says");
        QTest::newRow("state") << QStringList{"history", "--state", "asleep"} << "asleep";
        QTest::newRow("kind") << QStringList{"history", "--kind", "odd"} << "odd";
        QTest::newRow("date") << QStringList{"history", "--since", "yesterday"} << "yesterday";
        QTest::newRow("ranks") << QStringList{"history", "--ranks", "few"} << "few";
        QTest::newRow("order") << QStringList{"history", "--order", "beauty"} << "beauty";
        QTest::newRow("edit nothing") << QStringList{"edit", "nowhere", "--star"} << "nowhere";
        QTest::newRow("delete nothing") << QStringList{"delete", "nowhere"} << "nowhere";
        QTest::newRow("delete no run") << QStringList{"delete"} << "runs";
        QTest::newRow("empty trash by half") << QStringList{"delete", "--all"} << "--for-good";
        QTest::newRow("restore nothing") << QStringList{"restore", "nowhere"} << "nowhere";
        QTest::newRow("import nothing")
            << QStringList{"import", "nowhere.triaxis-run"} << "nowhere.triaxis-run";
        QTest::newRow("import a text") << QStringList{"import", "/etc/passwd"} << "/etc/passwd";
        QTest::newRow("size") << QStringList{"prune", "--down-to", "much"} << "much";
    }

    void wrongWordsAreToldInOneLine()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, says);
        const Command command;
        made(command, 1);
        const auto result = command.run(arguments);
        QVERIFY(result.code != 0);
        QVERIFY2(result.error.contains(says), qPrintable(result.error));
        QCOMPARE(result.error.count('\n'), 1);
    }

    void helpIsThere()
    {
        const Command command;
        for (const char* name : {"edit", "bundle", "import", "delete", "restore", "prune"})
            QCOMPARE(command.run({name, "--help"}).code, 0);
    }

private:
    static QString made(const Command& command, int stages)
    {
        const auto home = std::filesystem::path(command.path("home").toStdString());
        return QString::fromStdString(makeRun(home, smallPlan(1, 1, stages), 3).id());
    }

    static QStringList ids(const Command& command, QStringList arguments)
    {
        arguments.prepend("history");
        arguments.append("--json");
        QStringList found;
        for (const QJsonObject& run : command.run(arguments).objects())
            found.append(run["run"].toString());
        return found;
    }
};

QTEST_APPLESS_MAIN(HistoryCommandsTest)
#include "history_commands_test.moc"
