// What a person keeps with runs, and how runs are found by it.

#include "storage/schema.h"
#include "tests/storage/history_fixture.h"

#include <QTest>
#include <fstream>
#include <set>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

class HistoryNotesTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
    }

    void notesAreFoundAndSurviveARebuild();
    void notesOfAnotherProgramAreSeen();
    void aLabelGivenLaterIsTheRuns();
    void tagsAreChecked_data();
    void tagsAreChecked();
    void damagedNotesAreToldAndNotWrittenOver();
    void searchTakesAllWordsInAnyCase();
    void filtersNarrowTogether();
    void everyOrderSortsAndPagesOnce();
    void facetsCountWhatTheirOwnFilterLeavesOut();
    void olderHistoryKeepsItsRuns();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void HistoryNotesTest::notesAreFoundAndSurviveARebuild()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 2);
    makeRun(m_home, smallPlan(1, 1, 1), 2);
    History history(m_home);
    history.refresh();
    history.edit(run.id(), [](RunNotes& notes) {
        notes.tags = {" workshop ", "baseline", "workshop"};
        notes.note = "first line\nзаметка № 2";
        notes.starred = true;
        notes.label = "the good one";
    });
    const auto check = [&](const History& from) {
        const RunSummary found = from.run(run.id());
        QCOMPARE(found.tags, (std::vector<std::string>{"baseline", "workshop"}));
        QCOMPARE(found.note, "first line\nзаметка № 2");
        QCOMPARE(found.label, "the good one");
        QVERIFY(found.starred);
        RunQuery query;
        query.text = "ЗАМЕТКА Workshop";
        QCOMPARE(idsOf(from.runs(query)), std::vector<std::string>{run.id()});
    };
    check(history);
    history.refresh(true);
    check(history);
    for (const char* name : {"history.db", "history.db-wal", "history.db-shm"})
        fs::remove(m_home / name);
    History anew(m_home);
    QCOMPARE(anew.refresh(), 2);
    check(anew);
}

void HistoryNotesTest::notesOfAnotherProgramAreSeen()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 1);
    History history(m_home);
    history.refresh();
    for (const char* tag : {"one", "two"}) {
        RunNotes notes;
        notes.tags = {tag};
        writeNotes(run.path(), notes);
        const std::int64_t before = history.changeStamp();
        history.refresh();
        QVERIFY(history.changeStamp() != before);
        QCOMPARE(history.run(run.id()).tags, std::vector<std::string>{tag});
    }
    fs::remove(run.path() / "notes.json");
    history.refresh();
    QVERIFY(history.run(run.id()).tags.empty());
}

void HistoryNotesTest::aLabelGivenLaterIsTheRuns()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 1);
    History history(m_home);
    history.refresh();
    QCOMPARE(history.run(run.id()).label, "small");
    history.edit(run.id(), [](RunNotes& notes) { notes.label = "new"; });
    QCOMPARE(history.run(run.id()).label, "new");
    QCOMPARE(run.plan().label, "new");
    history.edit(run.id(), [](RunNotes& notes) { notes.label.reset(); });
    QCOMPARE(history.run(run.id()).label, "small");
}

void HistoryNotesTest::tagsAreChecked_data()
{
    QTest::addColumn<QString>("tag");
    QTest::newRow("empty") << "  ";
    QTest::newRow("comma") << "a,b";
    QTest::newRow("line") << "a\nb";
    QTest::newRow("long") << QString(1000, 'x');
}

void HistoryNotesTest::tagsAreChecked()
{
    QFETCH(const QString, tag);
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 1);
    History history(m_home);
    history.refresh();
    history.edit(run.id(), [](RunNotes& notes) { notes.tags = {"kept"}; });
    QVERIFY(!messageOf([&] {
                 history.edit(run.id(),
                              [&](RunNotes& notes) { notes.tags.push_back(tag.toStdString()); });
             }).empty());
    QCOMPARE(history.notes(run.id()).tags, std::vector<std::string>{"kept"});
    QVERIFY(!messageOf([&] {
                 history.edit(run.id(), [](RunNotes& notes) { notes.note.assign(1 << 20, 'x'); });
             }).empty());
}

void HistoryNotesTest::damagedNotesAreToldAndNotWrittenOver()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 1), 1);
    std::ofstream(run.path() / "notes.json") << "{ torn";
    History history(m_home);
    QCOMPARE(history.refresh(), 1);
    QCOMPARE(history.takeNotes().size(), 1u);
    QCOMPARE(history.run(run.id()).label, "small");
    QVERIFY(!messageOf([&] {
                 history.edit(run.id(), [](RunNotes& notes) { notes.starred = true; });
             }).empty());
    QCOMPARE(contentOf(run.path() / "notes.json").size(), 6u);
}

void HistoryNotesTest::searchTakesAllWordsInAnyCase()
{
    const RunDirectory run = makeRun(m_home, smallPlan(2, 1, 2), 1);
    makeRun(m_home, smallPlan(1, 1, 2), 1);
    History history(m_home);
    history.refresh();
    const auto found = [&](const char* text) {
        RunQuery query;
        query.text = text;
        return history.count(query);
    };
    QCOMPARE(found("Tiny 2X1x2"), 1);
    QCOMPARE(found("2×1×2 1F1B"), 1);
    QCOMPARE(found("tiny small"), 2);
    QCOMPARE(found("tiny nowhere"), 0);
    QCOMPARE(found(run.id().c_str()), 1);
    QCOMPARE(found("   "), 2);
}

void HistoryNotesTest::filtersNarrowTogether()
{
    const RunDirectory first = makeRun(m_home, smallPlan(1, 1, 1), 1, "2026-02-10T08:00:00Z");
    const RunDirectory second = makeRun(m_home, smallPlan(2, 1, 2), 1, "2026-02-14T08:00:00Z");
    const RunDirectory third =
        makeRun(m_home, smallPlan(1, 2, 2), 1, "2026-03-01T08:00:00Z", RunState::Failed);
    History history(m_home);
    history.refresh();
    history.edit(second.id(), [](RunNotes& notes) {
        notes.tags = {"a", "b"};
        notes.starred = true;
    });
    history.edit(third.id(), [](RunNotes& notes) { notes.tags = {"a"}; });
    const auto found = [&](const std::function<void(RunQuery&)>& set) {
        RunQuery query;
        query.descending = false;
        set(query);
        const std::vector<RunSummary> runs = history.runs(query);
        return int(runs.size()) == history.count(query) ? idsOf(runs)
                                                        : std::vector<std::string>{"?"};
    };
    using Ids = std::vector<std::string>;
    const std::string a = first.id(), b = second.id(), c = third.id();
    QCOMPARE(found([](RunQuery& q) { q.tags = {"a"}; }), (Ids{b, c}));
    QCOMPARE(found([](RunQuery& q) { q.tags = {"a", "b"}; }), Ids{b});
    QCOMPARE(found([](RunQuery& q) { q.starred = true; }), Ids{b});
    QCOMPARE(found([](RunQuery& q) { q.pp = 2; }), (Ids{b, c}));
    QCOMPARE(found([](RunQuery& q) { q.pp = 2, q.tp = 1; }), Ids{b});
    QCOMPARE(found([](RunQuery& q) { q.layouts = {"1x1x1", "1×2×2"}; }), (Ids{a, c}));
    QCOMPARE(found([](RunQuery& q) { q.states = {RunState::Failed, RunState::Stopped}; }), Ids{c});
    QCOMPARE(found([](RunQuery& q) { q.leastRanks = 4; }), (Ids{b, c}));
    QCOMPARE(found([](RunQuery& q) { q.mostRanks = 3; }), Ids{a});
    QCOMPARE(found([](RunQuery& q) { q.since = "2026-02-14"; }), (Ids{b, c}));
    QCOMPARE(found([](RunQuery& q) { q.until = "2026-02-14"; }), (Ids{a, b}));
    QCOMPARE(found([](RunQuery& q) { q.since = "2026-02", q.until = "2026-02"; }), (Ids{a, b}));
    QCOMPARE(found([](RunQuery& q) { q.models = {"other"}; }), Ids{});
    QCOMPARE(found([](RunQuery& q) { q.models = {"tiny"}, q.schedules = {"1f1b"}, q.dp = 2; }),
             Ids{b});
    QCOMPARE(found([](RunQuery& q) { q.deleted = true; }), Ids{});
}

void HistoryNotesTest::everyOrderSortsAndPagesOnce()
{
    for (int i = 0; i < 7; ++i)
        makeRun(m_home, smallPlan(1 + i % 2, 1, 1), i,
                "2026-02-1" + std::to_string(i % 3) + "T00:00:00Z");
    History history(m_home);
    history.refresh();
    QVERIFY(runOrders().size() >= 15);
    for (const std::string& order : runOrders()) {
        for (const bool descending : {false, true}) {
            RunQuery query;
            query.orderBy = order;
            query.descending = descending;
            const auto all = idsOf(history.runs(query));
            std::vector<std::string> paged;
            query.limit = 3;
            for (query.offset = 0; query.offset < 7; query.offset += 3)
                for (const std::string& id : idsOf(history.runs(query)))
                    paged.push_back(id);
            QCOMPARE(paged, all);
            QCOMPARE(std::set<std::string>(all.begin(), all.end()).size(), 7u);
        }
    }
}

void HistoryNotesTest::facetsCountWhatTheirOwnFilterLeavesOut()
{
    for (int i = 0; i < 3; ++i)
        makeRun(m_home, smallPlan(1, 1, 2), 1);
    const RunDirectory other = makeRun(m_home, smallPlan(2, 1, 1), 1, {}, RunState::Failed);
    History history(m_home);
    history.refresh();
    history.edit(other.id(), [](RunNotes& notes) {
        notes.tags = {"x", "y"};
        notes.starred = true;
    });
    RunQuery query;
    query.states = {RunState::Failed};
    const RunFacets facets = history.facets(query);
    QCOMPARE(facets.states, (std::vector<RunFacet>{{"finished", 3}, {"failed", 1}}));
    QCOMPARE(facets.layouts, (std::vector<RunFacet>{{"2×1×1", 1}}));
    QCOMPARE(facets.tags, (std::vector<RunFacet>{{"x", 1}, {"y", 1}}));
    QCOMPARE(facets.dp, (std::vector<RunFacet>{{"2", 1}}));
    QCOMPARE(facets.starred, 1);
    QCOMPARE(history.facets().models, (std::vector<RunFacet>{{"tiny", 4}}));
}

/// A history.db as the first version wrote it.
void HistoryNotesTest::olderHistoryKeepsItsRuns()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 3);
    {
        sqlite::Database database(m_home / "history.db");
        migrate(database, migrations().first(1));
        database.execute(
            "INSERT INTO runs VALUES ('" + run.id() +
            "', 'Old', '2026-02-10T08:00:00Z', '', 'finished', '', 'tiny', '1×1×2', 1, 1, 2, "
            "'1f1b', 2, '{}', '{}', 1)");
    }
    History history(m_home);
    RunQuery query;
    query.text = "old 1x1x2";
    QCOMPARE(idsOf(history.runs(query)), std::vector<std::string>{run.id()});
    history.refresh();
    const RunSummary summary = history.run(run.id());
    QCOMPARE(summary.steps, 3);
    QCOMPARE(summary.spans, 6);
    QVERIFY(summary.bytes > 0);
    QVERIFY(summary.prunableBytes > 0);
}

QTEST_APPLESS_MAIN(HistoryNotesTest)
#include "history_notes_test.moc"
