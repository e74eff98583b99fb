// Runs in files, in the trash, and without their spans.

#include "tests/storage/forged_bundle.h"
#include "tests/storage/history_fixture.h"

#include <QTest>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

namespace
{

std::string textIn(const fs::path& file)
{
    const auto content = contentOf(file);
    return {content.begin(), content.end()};
}

} // namespace

class BundleTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = fs::path(m_folder->path().toStdString()) / "home";
        m_other = fs::path(m_folder->path().toStdString()) / "other";
        m_file = fs::path(m_folder->path().toStdString()) / "run.triaxis-run";
    }

    void aRunArrivesWithAllThatBelongsToIt();
    void theSameRunMakesTheSameBytes();
    void theSameRunTwiceIsOne();
    void anotherRunOfTheSameIdGetsANewOne();
    void aRunInTheTrashComesBack();
    void aRunThatGoesOnIsNotBundled();
    void forgeriesAreRefusedAndLeaveNothing_data();
    void forgeriesAreRefusedAndLeaveNothing();
    void linksAndFoldersAreRefused();
    void cutBundlesAreRefusedAndLeaveNothing();
    void aFullDiskLeavesNothing();
    void aStoppedImportLeavesNothing();
    void deletedRunsComeBack();
    void whatGoesOnIsNotDeleted();
    void pruningKeepsFiguresAndOneStep();
    void pruneRulesChoose();

private:
    void checkNothingIsLeft()
    {
        QVERIFY(namesIn(m_other / "runs").empty());
        QVERIFY(namesIn(m_other / "trash").empty());
        QVERIFY(namesIn(m_other / "staging").empty());
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home, m_other, m_file;
};

void BundleTest::aRunArrivesWithAllThatBelongsToIt()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 4, "2026-02-10T08:00:00Z");
    std::ofstream(run.standardError()) << "a warning\n";
    std::ofstream(run.path() / "model.safetensors") << "weights stay behind";
    History here(m_home);
    here.refresh();
    here.edit(run.id(), [](RunNotes& notes) {
        notes.tags = {"workshop"};
        notes.note = "hand this on";
    });
    here.exportRun(run.id(), m_file);
    History there(m_other);
    const ImportedRun arrived = there.importRun(m_file);
    QVERIFY(arrived.outcome == ImportOutcome::Imported);
    QCOMPARE(arrived.id, run.id());
    const RunSummary before = here.run(run.id()), after = there.run(run.id());
    QCOMPARE(after.steps, before.steps);
    QCOMPARE(after.finalLoss, before.finalLoss);
    QCOMPARE(after.spans, before.spans);
    QCOMPARE(after.tags, before.tags);
    QCOMPARE(after.note, "hand this on");
    QCOMPARE(there.notes(run.id()).importedId, run.id());
    QCOMPARE(before.kind, RunKind::Measured);
    QCOMPARE(after.kind, RunKind::Imported);
    RunQuery imported;
    imported.kinds = {RunKind::Imported};
    QCOMPARE(there.totals(imported).runs, 1);
    QCOMPARE(there.totals(imported).bytes, after.bytes);
    QCOMPARE(here.totals(imported).runs, 0);
    QCOMPARE(there.facets().kinds, (std::vector<RunFacet>{{"imported", 1}}));
    QVERIFY(!fs::exists(m_other / "runs" / run.id() / "model.safetensors"));
    for (const char* name :
         {"run.json", "state.json", "rank-0000.records", "rank-0001.records", "stderr.log"})
        QCOMPARE(contentOf(m_other / "runs" / run.id() / name), contentOf(run.path() / name));
    QVERIFY(namesIn(m_other / "staging").empty());
}

void BundleTest::theSameRunMakesTheSameBytes()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 4);
    exportBundle(run, m_file);
    const auto first = contentOf(m_file);
    exportBundle(run, m_file);
    QCOMPARE(contentOf(m_file), first);
    QCOMPARE(namesIn(m_file.parent_path()), (std::set<std::string>{"home", "run.triaxis-run"}));
}

void BundleTest::theSameRunTwiceIsOne()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2);
    exportBundle(run, m_file);
    importBundle(m_other, m_file);
    writeNotes(m_other / "runs" / run.id(), notesWith({"mine"}));
    const ImportedRun again = importBundle(m_other, m_file);
    QVERIFY(again.outcome == ImportOutcome::Known);
    QCOMPARE(namesIn(m_other / "runs"), std::set<std::string>{run.id()});
    QCOMPARE(readNotes(m_other / "runs" / run.id()).tags, std::vector<std::string>{"mine"});
}

void BundleTest::anotherRunOfTheSameIdGetsANewOne()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2);
    exportBundle(run, m_file);
    const RunDirectory other = makeRun(m_other, smallPlan(1, 1, 2), 3);
    fs::rename(other.path(), m_other / "runs" / run.id());
    for (int i = 0; i < 2; ++i) {
        const ImportedRun arrived = importBundle(m_other, m_file);
        QCOMPARE(arrived.id, run.id() + "-2");
        QVERIFY(arrived.outcome == (i == 0 ? ImportOutcome::Renamed : ImportOutcome::Known));
        QVERIFY(!arrived.note.empty());
    }
    History history(m_other);
    QCOMPARE(history.refresh(), 2);
    QCOMPARE(history.run(run.id()).ranks, 2);
    QCOMPARE(history.run(run.id() + "-2").ranks, 1);
}

void BundleTest::aRunInTheTrashComesBack()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2);
    exportBundle(run, m_file);
    History history(m_home);
    history.refresh();
    history.remove(run.id());
    QVERIFY(history.importRun(m_file).outcome == ImportOutcome::Restored);
    QCOMPARE(history.run(run.id()).steps, 2);
    QVERIFY(namesIn(m_home / "trash").empty());
}

void BundleTest::aRunThatGoesOnIsNotBundled()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2, {}, RunState::Running);
    QVERIFY(messageOf([&] { exportBundle(run, m_file); }).find("ended") != std::string::npos);
    QVERIFY(!fs::exists(m_file));
}

void BundleTest::forgeriesAreRefusedAndLeaveNothing_data()
{
    QTest::addColumn<QString>("kind");
    for (const char* kind :
         {"absolute", "parent", "folder", "unknown", "twice", "unlisted", "missing", "order", "id",
          "empty id", "size", "no rank", "running", "notes", "marks", "plan", "bomb"})
        QTest::newRow(kind) << kind;
}

void BundleTest::forgeriesAreRefusedAndLeaveNothing()
{
    QFETCH(const QString, kind);
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2);
    const std::vector<Forged> sound{{"run.json", textIn(run.path() / "run.json")},
                                    {"state.json", textIn(run.path() / "state.json")},
                                    {"rank-0000.records", textIn(run.recordFile(Rank(0)))}};
    std::string id = run.id();
    std::vector<Forged> held = sound, listed = sound;
    const auto both = [&](const Forged& entry) {
        held.push_back(entry);
        listed.push_back(entry);
    };
    if (kind == "absolute")
        both({(m_folder->path() + "/outside").toStdString(), "x"});
    else if (kind == "parent")
        both({"../outside", "x"});
    else if (kind == "folder")
        both({"sub/run.json", "x"});
    else if (kind == "unknown")
        both({"start.sh", "x"});
    else if (kind == "twice")
        both(sound[0]);
    else if (kind == "unlisted")
        held.push_back({"stderr.log", "x"});
    else if (kind == "missing")
        held.pop_back();
    else if (kind == "order")
        std::swap(held[0], held[1]);
    else if (kind == "id")
        id = "../../outside";
    else if (kind == "empty id")
        id = "";
    else if (kind == "size")
        held[2].content += "x";
    else if (kind == "no rank")
        both({"rank-0007.records", ""});
    else if (kind == "running")
        held[1].content = listed[1].content = R"({"state": "running", "launcher_pid": 1})";
    else if (kind == "notes")
        both({"notes.json", R"({"version": 1, "tags": [7]})"});
    else if (kind == "marks")
        both({"marks.json", R"({"version": 99})"});
    else if (kind == "plan")
        held[0].content = listed[0].content = "{}";
    else if (kind == "bomb")
        both({"rank-0001.records", std::string(400 << 20, '\0')});
    forge(m_file, id, listed, held);
    QVERIFY(!messageOf([&] { importBundle(m_other, m_file); }).empty());
    checkNothingIsLeft();
    QVERIFY(!fs::exists(m_file.parent_path() / "outside"));
    // The same without the forgery arrives.
    forge(m_file, run.id(), sound, sound);
    QVERIFY(importBundle(m_other, m_file).outcome == ImportOutcome::Imported);
}

void BundleTest::linksAndFoldersAreRefused()
{
    // Made by the system's own tar where it is there, since the writer makes none.
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 2);
    const fs::path work = m_file.parent_path() / "work";
    for (const char* kind : {"link", "hard link", "folder", "pipe"}) {
        fs::remove_all(work);
        fs::create_directories(work);
        BundleManifest manifest{run.id(), {}};
        for (const char* name : {"run.json", "state.json"}) {
            fs::copy_file(run.path() / name, work / name);
            manifest.files.push_back(
                {name, std::int64_t(fs::file_size(work / name)), crc32(contentOf(work / name)), 0});
        }
        manifest.files.push_back({"stderr.log", 0, 0, 0});
        const fs::path log = work / "stderr.log";
        if (kind == std::string("link"))
            fs::create_symlink("/etc/hostname", log);
        else if (kind == std::string("hard link"))
            fs::create_hard_link(work / "run.json", log);
        else if (kind == std::string("folder"))
            fs::create_directory(log);
        else
            QCOMPARE(::mkfifo(log.c_str(), 0600), 0);
        std::ofstream(work / manifestName) << textOf(manifest);
        const std::string command = "cd '" + work.string() + "' && tar --zstd -cf '" +
                                    m_file.string() +
                                    "' bundle.json run.json state.json stderr.log 2>/dev/null";
        if (std::system(command.c_str()) != 0)
            QSKIP("there is no tar that writes zstd");
        QVERIFY2(!messageOf([&] { importBundle(m_other, m_file); }).empty(), kind);
        checkNothingIsLeft();
    }
}

void BundleTest::cutBundlesAreRefusedAndLeaveNothing()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 20);
    exportBundle(run, m_file);
    const auto whole = contentOf(m_file);
    for (std::size_t i = 0; i < 40; ++i) {
        auto part = whole;
        part.resize(whole.size() * i / 40);
        writeContent(m_file, part);
        QVERIFY(!messageOf([&] { importBundle(m_other, m_file); }).empty());
        checkNothingIsLeft();
    }
}

void BundleTest::aFullDiskLeavesNothing()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 400);
    exportBundle(run, m_file);
    // Files cannot grow beyond a limit in a process of its own, as if there were no more room.
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{16384, 16384};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const bool refused = !messageOf([&] { importBundle(m_other, m_file); }).empty();
        ::_exit(refused ? 0 : 1);
    }
    int status = 0;
    QCOMPARE(::waitpid(child, &status, 0), child);
    QCOMPARE(status, 0);
    checkNothingIsLeft();
}

void BundleTest::aStoppedImportLeavesNothing()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 20);
    exportBundle(run, m_file);
    int calls = 0;
    QVERIFY(!messageOf([&] {
                 importBundle(m_other, m_file, [&](std::int64_t done, std::int64_t total) {
                     return done < total && ++calls < 2;
                 });
             }).empty());
    checkNothingIsLeft();
}

void BundleTest::deletedRunsComeBack()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 3);
    const RunDirectory other = makeRun(m_home, smallPlan(1, 1, 2), 3);
    History history(m_home);
    history.refresh();
    const auto bytes = history.storage().bytes;
    history.remove(run.id());
    QCOMPARE(history.count(), 1);
    QVERIFY(!messageOf([&] { history.run(run.id()); }).empty());
    QVERIFY(!history.run(run.id(), true).deletedUtc.empty());
    QCOMPARE(history.storage().deletedRuns, 1);
    // Another program, and one that makes the history anew, sees the same.
    History second(m_home);
    QCOMPARE(second.refresh(true), 1);
    QCOMPARE(second.run(run.id(), true).steps, 3);
    second.restore(run.id());
    history.refresh();
    QCOMPARE(history.count(), 2);
    QVERIFY(std::abs(double(history.storage().bytes - bytes)) < 200);
    history.remove(run.id());
    history.purge(run.id());
    QVERIFY(!messageOf([&] { history.restore(run.id()); }).empty());
    QVERIFY(namesIn(m_home / "trash").empty());
    QCOMPARE(namesIn(m_home / "runs"), std::set<std::string>{other.id()});
    QCOMPARE(history.storage().deletedRuns, 0);
}

void BundleTest::whatGoesOnIsNotDeleted()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 1, {}, RunState::Running);
    History history(m_home);
    history.refresh();
    QVERIFY(messageOf([&] { history.remove(run.id()); }).find("stop it") != std::string::npos);
    QVERIFY(messageOf([&] { history.prune(run.id()); }).find("ended") != std::string::npos);
    QCOMPARE(history.count(), 1);
}

void BundleTest::pruningKeepsFiguresAndOneStep()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 9);
    // A tail that a killed rank left.
    std::ofstream(run.recordFile(Rank(1)), std::ios::app | std::ios::binary) << "TXR1 torn";
    History history(m_home);
    history.refresh();
    const RunSummary before = history.run(run.id());
    const RunRecords recordsBefore = readRun(run);
    QVERIFY(before.prunableBytes > 0);
    QCOMPARE(history.prune(run.id()), before.prunableBytes);
    const RunSummary after = history.run(run.id());
    QCOMPARE(after.prunableBytes, 0);
    QCOMPARE(before.bytes - after.bytes,
             before.prunableBytes - std::int64_t(fs::file_size(run.path() / "pruned.json")));
    QCOMPARE(after.spans, 2);
    const auto same = [](const RunSummary& a, const RunSummary& b) {
        return a.steps == b.steps && a.finalLoss == b.finalLoss && a.stepSeconds == b.stepSeconds &&
               a.tokensPerSecond == b.tokensPerSecond && a.peakBytes == b.peakBytes &&
               (a.bubble == b.bubble || (std::isnan(a.bubble) && std::isnan(b.bubble)));
    };
    QVERIFY(same(before, after));
    const RunRecords records = readRun(run);
    QCOMPARE(records.all.steps.size(), recordsBefore.all.steps.size());
    QCOMPARE(records.all.memory.size(), recordsBefore.all.memory.size());
    QCOMPARE(records.all.tornBytes, recordsBefore.all.tornBytes);
    QCOMPARE(records.all.spans.size() + std::size_t(records.all.droppedSpans),
             recordsBefore.all.spans.size());
    QCOMPARE(history.prune(run.id()), 0);
    history.refresh(true);
    QVERIFY(same(before, history.run(run.id())));
    QVERIFY(namesIn(m_home / "staging").empty());
}

void BundleTest::pruneRulesChoose()
{
    std::vector<RunSummary> runs;
    for (int i = 9; i >= 0; --i) {
        RunSummary run;
        run.id = std::to_string(i);
        run.startedUtc = utcText(i * 86400.0);
        run.state = RunState::Finished;
        run.bytes = 1000;
        run.prunableBytes = 100 * (i + 1);
        runs.push_back(run);
    }
    runs[9].starred = true;            // "0"
    runs[8].state = RunState::Running; // "1"
    const auto ids = [&](const PruneRules& rules) {
        std::string all;
        for (const RunSummary& run : planPrune(runs, rules, 10 * 86400.0).runs)
            all += run.id;
        return all;
    };
    PruneRules rules;
    QCOMPARE(ids(rules), "");
    QCOMPARE(planPrune(runs, rules, 0).left, (PruneLeft{.newest = 10}));
    rules.keepNewest = 2;
    QCOMPARE(ids(rules), "234567");
    QCOMPARE(planPrune(runs, rules, 0).left,
             (PruneLeft{.newest = 2, .going = 1, .starred = 1}));
    rules.alsoStarred = true;
    QCOMPARE(ids(rules), "0234567");
    rules.olderThanSeconds = 5.5 * 86400;
    QCOMPARE(ids(rules), "0234");
    rules.largerThanBytes = 300;
    QCOMPARE(ids(rules), "34");
    QCOMPARE(planPrune(runs, rules, 10 * 86400.0).left,
             (PruneLeft{.newest = 2, .going = 1, .young = 3, .slight = 2}));
    rules = {.downToBytes = 9500, .keepNewest = 0};
    QCOMPARE(ids(rules), "23");
    QCOMPARE(planPrune(runs, rules, 0).left,
             (PruneLeft{.enough = 6, .going = 1, .starred = 1}));
    QCOMPARE(planPrune(runs, rules, 0).freedBytes, 700);
}

QTEST_APPLESS_MAIN(BundleTest)
#include "bundle_test.moc"
