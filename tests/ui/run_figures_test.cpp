#include "engine/record/run_bubble.h"
#include "tests/engine/timeline/played_run.h"
#include "ui/run/memory_figures.h"
#include "ui/run/run_figures.h"
#include "ui/run/run_log.h"
#include "ui/run/shown_steps.h"
#include "ui/run/straggler.h"

#include <QTest>
#include <algorithm>

using namespace triaxis;
using namespace triaxis::ui;

class RunFiguresTest : public QObject
{
    Q_OBJECT

private:
    static RunUpdate updateOf(const RunPlan& plan, const RunRecords& records)
    {
        RunUpdate update;
        RunStatus status;
        status.state = RunState::Running;
        update.status = status;
        update.lanes = std::make_shared<Lanes>(plan.layout);
        update.lanes->append(records.all.spans);
        update.steps = records.all.steps;
        update.memory = records.all.memory;
        for (const StepResult& step : records.all.steps) {
            std::vector<Span> spans;
            std::copy_if(records.all.spans.begin(), records.all.spans.end(),
                         std::back_inserter(spans),
                         [&](const Span& span) { return span.step == step.step; });
            update.shares.push_back(stepShares(spans, plan.layout));
            update.details.push_back({update.shares.back(), stepTraffic(spans, plan.layout),
                                      std::make_shared<const std::vector<Span>>(spans)});
        }
        return update;
    }

    static std::unique_ptr<RunData> played(const RunPlan& plan, int steps,
                                           const tests::Durations& durations = {})
    {
        RunOpening opening;
        opening.plan = plan;
        opening.plan.training.steps = 100;
        opening.closedForm = closedBubble(planClosedForm(plan).form);
        auto run = std::make_unique<RunData>(opening);
        run->apply(updateOf(plan, tests::playRun(plan, steps, durations)));
        return run;
    }

    static Figure find(const RunData& run, const QString& name)
    {
        for (const Figure& figure : runFigures(run)) {
            if (figure.name == name || figure.name.startsWith(name + QStringLiteral(" · ")))
                return figure;
        }
        return {};
    }

private slots:
    void aRunWithoutStepsHasDashesOnly()
    {
        RunOpening opening;
        opening.plan = tests::smallPlan(2, 1, 2, 4);
        const RunData run(opening);
        QCOMPARE(runFigures(run).size(), std::size_t(7));
        for (const char* name : {"Loss", "Tokens / s", "Step time", "Bubble", "Memory"})
            QCOMPARE(find(run, name).value, QString("–"));
        QVERIFY(stragglers(run).empty());
        QVERIFY(std::isnan(recentStepSeconds(run)));
    }

    void theFirstStepIsLeftOutOfTheTimes()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 1, 2);
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        RunUpdate update;
        for (int step = 1; step <= 4; ++step) {
            StepResult result;
            result.step = step;
            result.seconds = step == 1 ? 100 : 0.5;
            result.tokens = 1000;
            update.steps.push_back(result);
        }
        run.apply(update);
        QCOMPARE(recentStepSeconds(run), 0.5);
        QVERIFY2(find(run, "Tokens / s").value.contains("2,000"),
                 qPrintable(find(run, "Tokens / s").value));
    }

    void theBubbleIsTheMeanOfTheKeptSteps()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        RunUpdate update;
        const auto add = [&](std::int32_t step, double idle, std::size_t ranks) {
            StepDetail detail;
            detail.shares.step = step;
            detail.shares.perRank.resize(2);
            for (std::size_t rank = 0; rank < ranks; ++rank) {
                detail.shares.perRank[rank].compute = 1 - idle;
                detail.shares.perRank[rank].peerWait = idle;
            }
            update.details.push_back(detail);
        };
        add(1, 0.9, 2); // the first is left out, ...
        add(2, 0.2, 2);
        add(30, 0.4, 2);
        add(31, 0.8, 1); // ... and what a rank did not finish
        run.apply(update);
        QVERIFY(qAbs(recentBubble(run).bubble - 0.3) < 1e-12);
        QCOMPARE(recentBubble(run).steps, std::size_t(2));
        QVERIFY(find(run, "Bubble").value.startsWith(QStringLiteral("30.0")));
        QCOMPARE(find(run, "Bubble").name, QStringLiteral("Bubble · last 2 steps"));
        RunUpdate ended;
        ended.status.emplace();
        ended.status->state = RunState::Finished;
        run.apply(ended);
        QCOMPARE(find(run, "Bubble").name, QStringLiteral("Bubble · 2 steps"));
    }

    void aSlowRankIsNamed()
    {
        const RunPlan plan = tests::smallPlan(4, 1, 1, 2);
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        RunUpdate update;
        StepShares shares;
        shares.perRank.resize(4);
        for (LaneShare& lane : shares.perRank)
            lane.compute = 1;
        shares.perRank[2].compute = 2;
        update.shares.push_back(shares);
        run.apply(update);
        QVERIFY(stragglers(run).empty()); // one step tells little
        update.shares = {shares, shares};
        run.apply(update);
        const SlowestRank slowest = slowestRank(run);
        QVERIFY(slowest.known);
        QCOMPARE(slowest.rank, Rank(2));
        QVERIFY(qAbs(slowest.excess - 1) < 1e-12);
        QCOMPARE(find(run, "Slowest rank").tone, Tone::Warning);
        const auto found = stragglers(run);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found[0].rank, Rank(2));
        const auto cells = memoryCells(run, std::nullopt, {});
        QVERIFY(cells[2].marked && !cells[1].marked);
        QVERIFY(cells[2].detail.contains("straggler"));
    }

    void onePauseMakesNoStraggler()
    {
        const RunPlan plan = tests::smallPlan(4, 1, 1, 2);
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        RunUpdate update;
        for (int step = 0; step < 9; ++step) {
            StepShares shares;
            shares.perRank.resize(4);
            for (LaneShare& lane : shares.perRank)
                lane.compute = 1;
            if (step == 4)
                shares.perRank[1].compute = 30;
            update.shares.push_back(shares);
        }
        run.apply(update);
        QVERIFY(stragglers(run).empty());
    }

    void oldStepsAreThinnedAndTheLatestKept()
    {
        StepStore<int> store(100);
        for (int step = 1; step <= 1000; ++step)
            store.add(step, step);
        QVERIFY(store.isThinned());
        QVERIFY(store.entries().size() <= 100);
        QCOMPARE(store.entries().front().step, 1);
        QCOMPARE(store.entries().back().step, 1000);
        for (std::size_t i = 1; i < store.entries().size(); ++i)
            QVERIFY(store.entries()[i].step > store.entries()[i - 1].step);
        // The latest lie closer together than the oldest.
        const auto& entries = store.entries();
        QCOMPARE(entries.back().step - entries[entries.size() - 2].step, 1);
        QVERIFY(entries[1].step - entries[0].step > 1);
    }

    void memoryOfAMomentIsThatOfItsStep()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        RunOpening opening;
        opening.plan = plan;
        RunData run(opening);
        RunUpdate update;
        for (int step = 1; step <= 3; ++step) {
            MemorySample sample;
            sample.rank = Rank(1);
            sample.step = step;
            sample.time = step * 10;
            sample.peak = {step * 100, 0, 0, step * 10, 0, 0};
            sample.peakTotal = step * 105;
            update.memory.push_back(sample);
        }
        run.apply(update);
        QCOMPARE(memoryBytes(run, 1, std::nullopt, 12.0), std::int64_t(210));
        QCOMPARE(memoryBytes(run, 1, MemoryCategory::Activations, 12.0), std::int64_t(20));
        QCOMPARE(memoryBytes(run, 1, std::nullopt, 99.0), std::int64_t(315));
        QCOMPARE(memoryBytes(run, 1, std::nullopt, {}), std::int64_t(315));
        QCOMPARE(memoryBytes(run, 0, std::nullopt, 12.0), std::int64_t(0));
        QCOMPARE(memoryPoints(run, 1).size(), std::size_t(3));
    }

    void beyondManyRanksMemoryIsFoldedByGroup()
    {
        RunOpening opening;
        opening.plan = tests::smallPlan(64, 8, 4, 1);
        RunData run(opening);
        RunUpdate update;
        MemorySample sample;
        sample.rank = rankOf(opening.plan.layout, {3, 5, 2});
        sample.step = 1;
        sample.peakTotal = 77;
        update.memory.push_back(sample);
        run.apply(update);
        const auto cells = memoryCells(run, std::nullopt, {});
        QCOMPARE(cells.size(), std::size_t(256));
        QCOMPARE(cells[3 * 4 + 2].bytes, std::int64_t(77));
        QCOMPARE(cells[3 * 4 + 2].rank, sample.rank.value);
        QVERIFY(cells[3 * 4 + 2].title.contains("data 3"));
    }

    void memoryIsThatOfTheRanks()
    {
        const RunPlan plan = tests::smallPlan(1, 2, 2, 4);
        const auto run = played(plan, 3);
        const auto cells = memoryCells(*run, std::nullopt, {});
        QCOMPARE(cells.size(), std::size_t(4));
        const auto peaks = run->peakBytes();
        for (std::size_t i = 0; i < cells.size(); ++i)
            QCOMPARE(cells[i].bytes, peaks[i]);
        QVERIFY(memoryCells(*run, MemoryCategory::Weights, {})[0].bytes < cells[0].bytes);
    }

    void logTellsStepsFaultsAndTheEnd()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 1, 1);
        RunUpdate update = updateOf(plan, tests::playRun(plan, 2, {}));
        FaultRecord fault;
        fault.time = 50;
        fault.rank = Rank(0);
        fault.step = 3;
        fault.reason = "loss is not finite";
        update.faults.push_back(fault);
        update.status->state = RunState::Failed;
        update.status->reason = "rank 0 gave up";
        update.errorLines = {"last words"};
        const auto lines = logLines(plan, update);
        QCOMPARE(lines.size(), std::size_t(5));
        QVERIFY(lines[0].text.startsWith("step 1"));
        QVERIFY(lines[2].text.contains("loss is not finite"));
        QCOMPARE(lines[2].level, LogLevel::Error);
        QCOMPARE(lines[3].text, QString("last words"));
        QVERIFY(lines[4].text.contains("rank 0 gave up"));
    }
};

QTEST_MAIN(RunFiguresTest)
#include "run_figures_test.moc"
