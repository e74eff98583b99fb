// A program that is killed while it imports, indexes, deletes and prunes. TRIAXIS_KILLS sets how often (20 without it).

#include "storage/same_run.h"
#include "storage/run_places.h"
#include "tests/storage/forged_bundle.h"
#include "tests/storage/history_fixture.h"

#include <QTest>
#include <csignal>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

constexpr int residents = 6;

/// Until it is killed.
[[noreturn]] void work(const fs::path& home, const fs::path& file, const std::string& id)
{
    try {
        for (;;) {
            History history(home);
            history.refresh(true);
            history.importRun(file);
            history.edit(id, [](RunNotes& notes) { notes.tags = {"again"}; });
            history.remove(id);
            history.restore(id);
            history.remove(id);
            history.purge(id);
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    }
    ::_exit(1);
}

} // namespace

class HistoryKillTest : public QObject
{
    Q_OBJECT

private slots:
    void theHistoryIsWholeAfterEveryKill();

private:
    void checkWhole(const fs::path& home, const fs::path& source, const std::string& id);
};

void HistoryKillTest::checkWhole(const fs::path& home, const fs::path& source, const std::string& id)
{
    History history(home);
    history.refresh();
    const auto notes = history.takeNotes();
    QVERIFY2(notes.empty(), notes.empty() ? "" : notes[0].c_str());
    QVERIFY(namesIn(home / "staging").empty());
    {
        const sqlite::Database database(home / "history.db");
        sqlite::Statement check(database, "PRAGMA integrity_check");
        QVERIFY(check.step());
        QCOMPARE(check.text(0), "ok");
    }
    const auto kept = namesIn(home / "runs"), deleted = namesIn(home / "trash");
    QVERIFY(!(kept.contains(id) && deleted.contains(id)));
    for (const bool trash : {false, true})
        if ((trash ? deleted : kept).contains(id)) {
            QVERIFY(isSameRun(runPlace(home, id, trash), source));
            QCOMPARE(history.run(id, trash).steps, 8);
        }
    RunQuery query;
    const auto runs = history.runs(query);
    QCOMPARE(runs.size(), kept.size());
    QVERIFY(kept.size() == residents || kept.size() == residents + 1);
    for (const RunSummary& run : runs) {
        QCOMPARE(run.steps, 8);
        QCOMPARE(history.steps(run.id).size(), 8u);
        if (run.id != id)
            QCOMPARE(run.tags, std::vector<std::string>{"kept"});
    }
    // The next round begins without it.
    fs::remove_all(runPlace(home, id, false));
    fs::remove_all(runPlace(home, id, true));
    history.refresh();
}

void HistoryKillTest::theHistoryIsWholeAfterEveryKill()
{
    const QTemporaryDir folder;
    const fs::path top = folder.path().toStdString(), home = top / "home", file = top / "run.triaxis-run";
    for (int i = 0; i < residents; ++i)
        writeNotes(makeRun(home, smallPlan(1, 1, 2), 8).path(), notesWith({"kept"}));
    const RunDirectory source = makeRun(top / "source", smallPlan(1, 1, 2), 8);
    exportBundle(source, file);
    const int wanted = qEnvironmentVariableIntValue("TRIAXIS_KILLS");
    std::mt19937 random(7);
    int killed = 0;
    for (int i = 0; i < (wanted > 0 ? wanted : 20); ++i) {
        const pid_t child = ::fork();
        if (child == 0)
            work(home, file, source.id());
        QTest::qSleep(int(std::uniform_int_distribution<int>(1, 150)(random)));
        ::kill(child, SIGKILL);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        killed += WIFSIGNALED(status);
        checkWhole(home, source.path(), source.id());
        if (QTest::currentTestFailed())
            return;
    }
    QCOMPARE(killed, wanted > 0 ? wanted : 20);
}

QTEST_APPLESS_MAIN(HistoryKillTest)
#include "history_kill_test.moc"
