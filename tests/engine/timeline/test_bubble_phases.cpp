#include <QtTest>

#include "engine/record/run_bubble.h"
#include "engine/timeline/bubble_phases.h"
#include "tests/engine/timeline/played_run.h"

#include <numeric>

using namespace triaxis;

namespace
{

std::vector<StepShares> sharesOf(const RunPlan& plan, int steps, const tests::Durations& durations)
{
    const RunRecords records = tests::playRun(plan, steps, durations);
    std::vector<StepShares> shares;
    for (std::int32_t step = 1; step <= steps; ++step) {
        std::vector<Span> spans;
        for (const Span& span : records.all.spans)
            if (span.step == step)
                spans.push_back(span);
        shares.push_back(stepShares(spans, plan.layout));
    }
    return shares;
}

} // namespace

class BubblePhasesTest : public QObject
{
    Q_OBJECT

private slots:
    void phasesOfEveryStageSumToOne_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::newRow("1x1x4") << 1 << 1 << 4;
        QTest::newRow("2x2x2") << 2 << 2 << 2;
        QTest::newRow("1x1x8") << 1 << 1 << 8;
        QTest::newRow("4x1x1") << 4 << 1 << 1;
    }

    void phasesOfEveryStageSumToOne()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        const RunPlan plan = tests::smallPlan(dp, tp, pp, 8);
        tests::Durations durations;
        durations.jitter = 0.2;
        const auto rows = phasesByStage(sharesOf(plan, 3, durations), plan.layout);
        QCOMPARE(int(rows.size()), pp);
        for (const StagePhases& row : rows) {
            const double sum = std::accumulate(row.share.begin(), row.share.end(), 0.0);
            QVERIFY2(qAbs(sum - 1) < 1e-12, qPrintable(QString::number(sum)));
            QVERIFY(row.of(BubblePhase::Busy) > 0.3);
            QVERIFY((row.of(BubblePhase::Tensor) > 0) == (tp > 1));
        }
    }

    void theBubbleIsThatOfTheMetrics()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 4, 8);
        const auto shares = sharesOf(plan, 2, {});
        const auto rows = phasesByStage(shares, plan.layout);
        for (std::size_t stage = 0; stage < rows.size(); ++stage) {
            const double expected = (bubbleByStage(shares[0], plan.layout)[stage] +
                                     bubbleByStage(shares[1], plan.layout)[stage]) /
                                    2;
            QVERIFY(qAbs(rows[stage].bubble - expected) < 1e-12);
            double idle = 0;
            for (int phase = 0; phase < bubblePhaseCount; ++phase)
                idle += isIdle(BubblePhase(phase)) ? rows[stage].share[std::size_t(phase)] : 0;
            const double rate = idle / (1 - rows[stage].of(BubblePhase::Tail));
            QVERIFY2(qAbs(rate - rows[stage].bubble) < 2e-3, qPrintable(QString::number(rate)));
        }
    }

    void theFirstStageWarmsUpLeastAndCoolsDownLeast()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 4, 8);
        const auto rows = phasesByStage(sharesOf(plan, 1, {}), plan.layout);
        for (std::size_t stage = 1; stage < rows.size(); ++stage)
            QVERIFY(rows[stage].of(BubblePhase::WarmUp) > rows[stage - 1].of(BubblePhase::WarmUp));
        QVERIFY(rows.back().of(BubblePhase::CoolDown) > rows.front().of(BubblePhase::CoolDown));
    }

    void theClosedFormIsSplitAtTheEndsOfAStage()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 4, 8);
        const ClosedForm form = planClosedForm(plan).form;
        for (int stage = 0; stage < 4; ++stage) {
            const ClosedPhases closed = closedPhases(form, stage);
            QVERIFY(qAbs(closed.bubble - 3.0 / 11) < 1e-12); // (P − 1)/(M + P − 1)
            QVERIFY(qAbs(closed.ends + closed.between - closed.bubble) < 1e-12);
        }
        QVERIFY(qAbs(closedPhases(form, 3).between) < 1e-12);
        QVERIFY(std::isnan(closedPhases({}, 0).bubble));
        QVERIFY(std::isnan(closedPhases(form, 17).bubble));
    }

    void withoutSpansThereAreNoRows()
    {
        QVERIFY(phasesByStage({}, tests::smallPlan(1, 1, 2, 2).layout).empty());
        QVERIFY(phasesByStage({StepShares{}}, tests::smallPlan(1, 1, 2, 2).layout).empty());
    }

    void everyPhaseIsDefinedInWords()
    {
        for (int phase = 0; phase < bubblePhaseCount; ++phase) {
            QVERIFY(*toText(BubblePhase(phase)) != 0);
            QVERIFY(QString(definitionOf(BubblePhase(phase))).endsWith('.'));
        }
    }
};

QTEST_GUILESS_MAIN(BubblePhasesTest)
#include "test_bubble_phases.moc"
