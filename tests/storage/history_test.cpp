#include "tests/storage/history_fixture.h"

#include <QTest>
#include <cmath>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

using namespace triaxis;
using namespace triaxis::test;
namespace fs = std::filesystem;

class HistoryTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = m_folder->path().toStdString();
    }

    void aRunIsFoundWithItsFigures();
    void bubbleIsTheMeanOfTheKeptSteps();
    void indexingTwiceChangesNothing();
    void indexingFollowsARunThatGrows();
    void rebuildComesToTheSame();
    void refreshForgetsRunsWhoseDirectoryIsGone();
    void textFilterTakesEveryCharacterLiterally();
    void filterByStateAndPaging();
    void orderIsByKnownColumnsOnly();
    void runsWithoutAFigureComeLast();
    void runIsFoundByPrefixOrAsTheLast();
    void notANumberIsKept();
    void orphanIsIndexedAsFailed();

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_home;
};

void HistoryTest::aRunIsFoundWithItsFigures()
{
    const RunDirectory run = makeRun(m_home, smallPlan(2, 1, 2), 5, "2026-02-14T15:30:12Z");
    History history(m_home);
    QCOMPARE(history.refresh(), 1);
    const std::vector<RunSummary> runs = history.runs();
    QCOMPARE(runs.size(), 1u);
    const RunSummary& summary = runs[0];
    QCOMPARE(summary.id, run.id());
    QCOMPARE(summary.label, "small");
    QCOMPARE(summary.model, "tiny");
    QCOMPARE(summary.layout, "2×1×2");
    QCOMPARE(summary.dp, 2);
    QCOMPARE(summary.tp, 1);
    QCOMPARE(summary.pp, 2);
    QCOMPARE(summary.ranks, 4);
    QCOMPARE(summary.schedule, "1f1b");
    QCOMPARE(summary.startedUtc, "2026-02-14T15:30:12Z");
    QVERIFY(summary.state == RunState::Finished);
    QCOMPARE(summary.steps, 5);
    QCOMPARE(summary.finalLoss, 4.0 / 5);
    QCOMPARE(summary.stepSeconds, 0.35); // median of 0.2, 0.3, 0.4, 0.5
    QCOMPARE(summary.tokensPerSecond, 400 / 1.4);
    QCOMPARE(summary.peakBytes, 4005);
    QCOMPARE(fs::path(summary.directory), run.path());
    const std::vector<StepResult> steps = history.steps(run.id());
    QCOMPARE(steps.size(), 5u);
    QCOMPARE(steps[2].step, 3);
    QCOMPARE(steps[2].loss, 4.0 / 3);
    QCOMPARE(steps[2].tokens, 100);
    QCOMPARE(rowsOf(m_home, "offsets"), 4 * 5);
}

void HistoryTest::bubbleIsTheMeanOfTheKeptSteps()
{
    // Stage 0 is busy for the first part of a step, stage 1 for the last.
    const RunPlan plan = smallPlan(1, 1, 2);
    RunDirectory run = RunDirectory::create(m_home, plan, {});
    for (int rank = 0; rank < 2; ++rank) {
        RecordWriter writer(run.recordFile(Rank(rank)));
        for (int step = 1; step <= 4; ++step) {
            // A window of one second; the first step would give another figure.
            const double busy = step == 1 ? 0.9 : step == 4 ? 0.2 : 0.5;
            const double begin = 10 * step + (1 - busy) * rank;
            writer.span(spanOf(step, rank, Kind::Forward, 0, begin, begin + busy));
            writer.endStep();
        }
        if (rank == 1)
            continue;
        // Died in a step that rank 1 did not reach.
        writer.span(spanOf(5, rank, Kind::Forward, 0, 50, 51));
        writer.endStep();
    }
    setState(run, RunState::Finished);
    History history(m_home);
    history.index(run);
    QVERIFY(std::abs(history.runs()[0].bubble - (0.5 + 0.5 + 0.8) / 3) < 1e-6);
}

void HistoryTest::indexingTwiceChangesNothing()
{
    const RunDirectory run = makeRun(m_home, smallPlan(1, 1, 2), 4);
    History history(m_home);
    history.index(run);
    const RunSummary before = history.runs()[0];
    history.index(run);
    history.index(run);
    const RunSummary after = history.runs()[0];
    QCOMPARE(history.count(), 1);
    QCOMPARE(after.steps, before.steps);
    QCOMPARE(after.tokensPerSecond, before.tokensPerSecond);
    QCOMPARE(rowsOf(m_home, "steps"), 4);
    QCOMPARE(rowsOf(m_home, "offsets"), 8);
}

void HistoryTest::indexingFollowsARunThatGrows()
{
    RunDirectory run = RunDirectory::create(m_home, smallPlan(1, 1, 1), {});
    RunStatus status;
    status.state = RunState::Running;
    run.setStatus(status);
    History history(m_home);
    history.index(run);
    QCOMPARE(history.runs()[0].steps, 0);
    QVERIFY(std::isnan(history.runs()[0].finalLoss));
    RecordWriter writer(run.recordFile(Rank(0)));
    for (int step = 1; step <= 6; ++step) {
        writer.step({step, 1.0 / step, 1, 0, 0.5, 10});
        writer.endStep();
        history.index(run);
        QCOMPARE(history.runs()[0].steps, step);
        QCOMPARE(history.runs()[0].finalLoss, 1.0 / step);
    }
    // Each step is found again at its place.
    const sqlite::Database database(m_home / "history.db");
    sqlite::Statement query(database, "SELECT step, offset FROM offsets ORDER BY step");
    int found = 0;
    while (query.step()) {
        RecordReader reader(run.recordFile(Rank(0)), query.integer(1));
        QCOMPARE(reader.poll().steps.front().step, int(query.integer(0)));
        ++found;
    }
    QCOMPARE(found, 6);
}

void HistoryTest::rebuildComesToTheSame()
{
    for (int i = 0; i < 3; ++i)
        makeRun(m_home, smallPlan(1, 1, 1), 3 + i);
    History history(m_home);
    history.refresh();
    const auto before = history.runs();
    QCOMPARE(history.refresh(true), 3);
    const auto after = history.runs();
    QCOMPARE(idsOf(after), idsOf(before));
    for (std::size_t i = 0; i < after.size(); ++i) {
        QCOMPARE(after[i].steps, before[i].steps);
        QCOMPARE(after[i].finalLoss, before[i].finalLoss);
        QCOMPARE(after[i].peakBytes, before[i].peakBytes);
    }
}

void HistoryTest::refreshForgetsRunsWhoseDirectoryIsGone()
{
    const RunDirectory first = makeRun(m_home, smallPlan(1, 1, 1), 2);
    const RunDirectory second = makeRun(m_home, smallPlan(1, 1, 1), 2);
    History history(m_home);
    QCOMPARE(history.refresh(), 2);
    fs::remove_all(first.path());
    QCOMPARE(history.refresh(), 1);
    QCOMPARE(idsOf(history.runs()), std::vector<std::string>{second.id()});
    QCOMPARE(rowsOf(m_home, "steps"), 2);
    QCOMPARE(rowsOf(m_home, "summaries"), 1);
}

void HistoryTest::textFilterTakesEveryCharacterLiterally()
{
    for (const char* label :
         {"100% sure", "100 sure", "a_b", "axb", "back\\slash", "it's; DROP TABLE runs"}) {
        RunPlan plan = smallPlan(1, 1, 2);
        plan.label = label;
        makeRun(m_home, plan, 1);
    }
    History history(m_home);
    history.refresh();
    const auto found = [&](const char* text) {
        RunQuery query;
        query.text = text;
        const int count = history.count(query);
        return int(history.runs(query).size()) == count ? count : -1;
    };
    QCOMPARE(found("100%"), 1);
    QCOMPARE(found("100"), 2);
    QCOMPARE(found("a_b"), 1);
    QCOMPARE(found("\\"), 1);
    QCOMPARE(found("it's; DROP"), 1);
    QCOMPARE(found("SURE"), 2);
    QCOMPARE(found("tiny"), 6);
    QCOMPARE(found("1×1×2"), 6);
    QCOMPARE(found("1x1x2"), 6);
    QCOMPARE(found("1f1b"), 6);
    QCOMPARE(found("nothing has this"), 0);
}

void HistoryTest::filterByStateAndPaging()
{
    for (int i = 0; i < 5; ++i)
        makeRun(m_home, smallPlan(1, 1, 1), 1, "2026-02-1" + std::to_string(i) + "T00:00:00Z",
                i % 2 ? RunState::Failed : RunState::Finished);
    History history(m_home);
    history.refresh();
    RunQuery query;
    query.state = RunState::Failed;
    QCOMPARE(history.count(query), 2);
    for (const RunSummary& run : history.runs(query))
        QCOMPARE(run.reason, "rank 1 was killed");
    query = {};
    query.limit = 2;
    query.offset = 1;
    const auto page = history.runs(query);
    QCOMPARE(page.size(), 2u);
    QCOMPARE(page[0].startedUtc, "2026-02-13T00:00:00Z");
    QCOMPARE(history.count(query), 5);
}

void HistoryTest::orderIsByKnownColumnsOnly()
{
    makeRun(m_home, smallPlan(1, 1, 1), 2, "2026-02-11T00:00:00Z");
    makeRun(m_home, smallPlan(1, 1, 1), 4, "2026-02-10T00:00:00Z");
    History history(m_home);
    history.refresh();
    RunQuery query;
    query.orderBy = "loss";
    query.descending = false;
    QCOMPARE(history.runs(query)[0].finalLoss, 1.0);
    query.descending = true;
    QCOMPARE(history.runs(query)[0].finalLoss, 2.0);
    for (const char* known : {"started", "step_time", "tokens_per_second", "bubble"}) {
        query.orderBy = known;
        QCOMPARE(history.runs(query).size(), 2u);
    }
    query.orderBy = "started; DROP TABLE runs";
    QVERIFY(messageOf([&] { history.runs(query); }).find("DROP") != std::string::npos);
}

void HistoryTest::runsWithoutAFigureComeLast()
{
    const RunDirectory none = makeRun(m_home, smallPlan(1, 1, 1), 0);
    makeRun(m_home, smallPlan(1, 1, 1), 2);
    History history(m_home);
    history.refresh();
    RunQuery query;
    query.orderBy = "loss";
    for (bool descending : {false, true}) {
        query.descending = descending;
        QCOMPARE(history.runs(query).back().id, none.id());
    }
}

void HistoryTest::runIsFoundByPrefixOrAsTheLast()
{
    History history(m_home);
    QVERIFY(messageOf([&] { history.run("last"); }).find("none") != std::string::npos);
    const RunDirectory old = makeRun(m_home, smallPlan(1, 1, 1), 1, "2026-01-01T00:00:00Z");
    const RunDirectory young = makeRun(m_home, smallPlan(1, 1, 1), 1, "2026-03-01T00:00:00Z");
    history.refresh();
    QCOMPARE(history.run("last").id, young.id());
    QCOMPARE(history.run(old.id()).id, old.id());
    fs::rename(old.path(), old.path().parent_path() / "alpha-1");
    fs::rename(young.path(), young.path().parent_path() / "alpha-12");
    history.refresh();
    QCOMPARE(history.run("alpha-12").id, "alpha-12");
    QCOMPARE(history.run("alpha-1").id, "alpha-1");
    QVERIFY(messageOf([&] { history.run("alpha"); }).find("alpha-12") != std::string::npos);
    QVERIFY(messageOf([&] { history.run("%"); }).find("%") != std::string::npos);
    QVERIFY(!messageOf([&] { history.run(""); }).empty());
}

void HistoryTest::notANumberIsKept()
{
    RunDirectory run = RunDirectory::create(m_home, smallPlan(1, 1, 1), {});
    {
        RecordWriter writer(run.recordFile(Rank(0)));
        writer.step({1, std::nan(""), INFINITY, 0, 0.5, 10});
        writer.endStep();
    }
    setState(run, RunState::Failed);
    History history(m_home);
    history.index(run);
    QVERIFY(std::isnan(history.runs()[0].finalLoss));
    const auto steps = history.steps(run.id());
    QVERIFY(std::isnan(steps[0].loss));
    QVERIFY(std::isinf(steps[0].gradientNorm));
}

void HistoryTest::orphanIsIndexedAsFailed()
{
    RunDirectory run = RunDirectory::create(m_home, smallPlan(1, 1, 1), {});
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    ::waitpid(child, nullptr, 0);
    RunStatus status;
    status.state = RunState::Running;
    status.launcherPid = child;
    run.setStatus(status);
    History history(m_home);
    history.refresh();
    const RunSummary summary = history.run(run.id());
    QVERIFY(summary.state == RunState::Failed);
    QVERIFY(summary.reason.find("launcher") != std::string::npos);
}

QTEST_APPLESS_MAIN(HistoryTest)
#include "history_test.moc"
