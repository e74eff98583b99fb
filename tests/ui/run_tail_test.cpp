#include "engine/core/error.h"
#include "tests/ui/support/stored_run.h"
#include "ui/run/run_tail.h"

#include <QTemporaryDir>
#include <QTest>
#include <map>
#include <fstream>
#include <limits>

using namespace triaxis;
using namespace triaxis::ui;

class RunTailTest : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_home;

    std::filesystem::path home() const { return m_home->path().toStdString(); }

    static std::size_t spansOf(const RunUpdate& update)
    {
        std::size_t count = update.spans.size();
        if (update.lanes) {
            for (const RankTracks& rank : update.lanes->ranks())
                count += rank.compute.size();
        }
        return count;
    }

private slots:
    void init() { m_home = std::make_unique<QTemporaryDir>(); }

    void aStoredRunComesAtOnce()
    {
        const auto path = tests::storeFinishedRun(home(), tests::smallPlan(2, 2, 2, 4), 5);
        RunTail tail(path);
        QCOMPARE(tail.opening().plan.layout.ranks(), 8);
        QVERIFY(tail.opening().closedForm > 0);
        const RunUpdate update = tail.poll();
        QVERIFY(update.over);
        QVERIFY(tail.isOver());
        QVERIFY(update.lanes != nullptr);
        QCOMPARE(update.lanes->steps(), std::pair(1, 5));
        QCOMPARE(update.steps.size(), std::size_t(5));
        QCOMPARE(update.shares.size(), std::size_t(5));
        QCOMPARE(update.hellos.size(), std::size_t(8));
        QCOMPARE(update.status->state, RunState::Finished);
        QCOMPARE(update.memory.size(), std::size_t(40));
        QVERIFY(qAbs(update.clockError - 8e-6) < 1e-12);
        QVERIFY(tail.poll().empty());
    }

    void spansAreThoseOfTheRecordsAndPaired()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        tests::StoredRun run(home(), plan, 3);
        run.finish();
        RunTail tail(run.directory().path());
        const RunUpdate update = tail.poll();
        Lanes expected(plan.layout);
        std::map<std::int32_t, std::vector<Span>> bySteps;
        for (const Span& span : run.records().all.spans)
            bySteps[span.step].push_back(span);
        for (const auto& [step, spans] : bySteps)
            expected.append(spans);
        for (std::size_t lane = 0; lane < expected.ranks().size(); ++lane) {
            const Track& got = update.lanes->ranks()[lane].communication;
            const Track& want = expected.ranks()[lane].communication;
            const auto gotShares = got.shares(expected.begin(), expected.end());
            const auto wantShares = want.shares(expected.begin(), expected.end());
            for (int category = 0; category < categoryCount; ++category)
                QVERIFY2(qAbs(gotShares[std::size_t(category)] -
                              wantShares[std::size_t(category)]) < 1e-6,
                         toText(Category(category)));
            QVERIFY(wantShares[std::size_t(Category::Wait)] > 1e-3);
        }
        for (std::size_t i = 0; i < update.shares.size(); ++i)
            QCOMPARE(update.shares[i].step, std::int32_t(i + 1));
    }

    void aStepIsShownWhenAllItsRanksHaveWrittenIt()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 1, 2), 4);
        run.setState(RunState::Running);
        RunTail tail(run.directory().path());
        QCOMPARE(spansOf(tail.poll()), std::size_t(0));
        run.writeStepOf(Rank(0));
        tail.poll();
        QCOMPARE(spansOf(tail.poll()), std::size_t(0));
        run.writeStepOf(Rank(1));
        std::size_t spans = 0;
        std::int32_t shown = 0;
        for (int i = 0; i < 3; ++i) {
            const RunUpdate update = tail.poll();
            spans += spansOf(update);
            for (const StepShares& shares : update.shares)
                shown = shares.step;
        }
        QVERIFY(spans > 0);
        QCOMPARE(shown, 1);
    }

    void aRunIsFollowedStepByStep()
    {
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 2, 2), 6);
        run.setState(RunState::Running);
        RunTail tail(run.directory().path());
        std::vector<std::int32_t> steps;
        std::vector<std::int32_t> shown;
        for (int i = 0; i < 6; ++i) {
            run.writeStep();
            const RunUpdate update = tail.poll();
            for (const StepResult& result : update.steps)
                steps.push_back(result.step);
            for (const StepShares& shares : update.shares)
                shown.push_back(shares.step);
            QVERIFY(!update.over);
        }
        run.finish();
        RunUpdate last;
        for (int i = 0; i < 500 && !last.over; ++i) {
            QTest::qWait(10);
            last = tail.poll();
            for (const StepShares& shares : last.shares)
                shown.push_back(shares.step);
        }
        QVERIFY(last.over);
        QCOMPARE(steps, (std::vector<std::int32_t>{1, 2, 3, 4, 5, 6}));
        QCOMPARE(shown, steps);
    }

    void aFailedRunShowsItsLastStepAndWhatTheRanksSaid()
    {
        tests::StoredRun run(home(), tests::smallPlan(2, 1, 1, 2), 9);
        run.setState(RunState::Running);
        run.writeStep();
        run.writeStepOf(Rank(0));
        std::ofstream(run.directory().standardError()) << "rank 1: out of memory\n";
        run.fail(Rank(1), "rank 1 ran out of memory");
        RunTail tail(run.directory().path());
        const RunUpdate update = tail.poll();
        QVERIFY(update.over);
        QCOMPARE(update.status->state, RunState::Failed);
        QCOMPARE(update.status->failedRank, std::optional(Rank(1)));
        QCOMPARE(update.faults.size(), std::size_t(1));
        QCOMPARE(update.lanes->steps(), std::pair(1, 2));
        QCOMPARE(update.errorLines, std::vector<std::string>{"rank 1: out of memory"});
    }

    void tornTailIsCountedOnceTheRunIsOver()
    {
        tests::StoredRun run(home(), tests::smallPlan(1, 1, 1, 2), 2);
        run.finish();
        std::ofstream(run.directory().recordFile(Rank(0)), std::ios::binary | std::ios::app)
            << "half a frame";
        RunTail tail(run.directory().path());
        const RunUpdate update = tail.poll();
        QCOMPARE(update.tornBytes, std::int64_t(12));
        QCOMPARE(update.steps.size(), std::size_t(2));
    }

    void aDraftThatItsStarterLeavesBehindHasFailed()
    {
        const tests::StoredRun run(home(), tests::smallPlan(1, 1, 1, 1), 1);
        std::ofstream(run.directory().path() / "launcher.log") << "triaxis: there is no mpirun\n";
        const int nobody = std::numeric_limits<int>::max();
        RunTail tail(run.directory().path(), nobody);
        const RunUpdate update = tail.poll();
        QVERIFY(update.over);
        QCOMPARE(update.status->state, RunState::Failed);
        QVERIFY(update.status->reason.find("there is no mpirun") != std::string::npos);
        QCOMPARE(run.directory().status().state, RunState::Failed);
        RunTail patient(tests::StoredRun(home(), tests::smallPlan(1, 1, 1, 1), 1).directory().path(),
                        int(QCoreApplication::applicationPid()));
        QVERIFY(!patient.poll().over);
    }

    void noRunDirectoryIsOneClearError()
    {
        try {
            RunTail tail(home() / "runs" / "nothing");
            QFAIL("no error");
        } catch (const Error& error) {
            QVERIFY(!error.tried().empty());
        }
    }
};

QTEST_MAIN(RunTailTest)
#include "run_tail_test.moc"
