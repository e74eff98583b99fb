#include <QtTest>

#include "engine/schedule/generators.h"
#include "engine/timeline/metrics.h"
#include "tests/engine/timeline/played_run.h"

#include <cmath>

using namespace triaxis;
using namespace triaxis::tests;

namespace
{

Span span(int rank, Kind kind, int microbatch, double ready, double begin, double end,
          Lane lane = Lane::Compute)
{
    Span s;
    s.step = 3;
    s.rank = Rank(rank);
    s.id = InstructionId(kind, Chunk(0), Microbatch(microbatch));
    s.lane = lane;
    s.ready = ready;
    s.begin = begin;
    s.end = end;
    return s;
}

Span compute(int rank, Kind kind, int microbatch, double begin, double end)
{
    return span(rank, kind, microbatch, begin, begin, end);
}

Layout pipeline(int pp)
{
    Layout layout;
    layout.pp = pp;
    return layout;
}

/// 1F1B with free transfers: every stage runs its list, each entry as soon as its inputs are there.
/// F = 1 s, B = 2 s.
std::vector<Span> idealStep(int stages, int microbatches)
{
    const ComputeProgram program = oneForwardOneBackward(stages, microbatches);
    std::vector<std::vector<double>> forward(stages, std::vector<double>(microbatches, -1));
    std::vector<std::vector<double>> backward = forward;
    std::vector<std::size_t> next(stages, 0);
    std::vector<double> now(stages, 0);
    std::vector<Span> spans;
    for (bool moved = true; moved;) {
        moved = false;
        for (int s = 0; s < stages; ++s) {
            while (next[s] < program.order[s].size()) {
                const ComputeStep& what = program.order[s][next[s]];
                const int m = what.microbatch.value;
                const bool isForward = what.kind == Kind::Forward;
                const double input = isForward         ? (s == 0 ? 0 : forward[s - 1][m])
                                     : s == stages - 1 ? forward[s][m]
                                                       : backward[s + 1][m];
                if (input < 0)
                    break;
                const double begin = std::max(now[s], input);
                now[s] = begin + (isForward ? 1 : 2);
                (isForward ? forward : backward)[s][m] = now[s];
                spans.push_back(compute(s, what.kind, m, begin, now[s]));
                ++next[s];
                moved = true;
            }
        }
    }
    return spans;
}

} // namespace

class TestMetrics : public QObject
{
    Q_OBJECT

private slots:
    void idealPipelineHasTheClosedFormBubble_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("microbatches");
        for (const int p : {1, 2, 3, 4, 8})
            for (const int m : {1, 2, 4, 7, 16})
                QTest::addRow("P=%d M=%d", p, m) << p << m;
    }

    void idealPipelineHasTheClosedFormBubble()
    {
        QFETCH(int, stages);
        QFETCH(int, microbatches);
        const Layout layout = pipeline(stages);
        const StepShares shares = stepShares(idealStep(stages, microbatches), layout);
        const double expected = double(stages - 1) / (microbatches + stages - 1);
        const std::vector<double> bubbles = bubbleByStage(shares, layout);
        QCOMPARE(int(bubbles.size()), stages);
        for (const double share : bubbles)
            QVERIFY2(std::abs(share - expected) < 1e-14,
                     qPrintable(QString::number(share, 'g', 17)));
        QVERIFY(std::abs(bubble(shares, layout) - expected) < 1e-14);
    }

    void gradientReductionInTheCoolDownHidesNoBubble()
    {
        // Stage 1 ends 2 s before stage 0 and reduces its gradients meanwhile.
        std::vector<Span> spans = idealStep(2, 2);
        double end = 0;
        double lastOfStage1 = 0;
        for (const Span& s : spans) {
            end = std::max(end, s.end);
            if (s.rank == Rank(1))
                lastOfStage1 = std::max(lastOfStage1, s.end);
        }
        spans.push_back(span(1, Kind::GradientReduce, 0, lastOfStage1, lastOfStage1,
                             lastOfStage1 + 1, Lane::Data));
        for (int rank = 0; rank < 2; ++rank) {
            spans.push_back(span(rank, Kind::NormReduce, 0, end, end, end + 0.5, Lane::Data));
            spans.push_back(compute(rank, Kind::OptimizerStep, 0, end + 0.5, end + 1));
        }
        const Layout layout = pipeline(2);
        const StepShares shares = stepShares(spans, layout);
        for (const double share : bubbleByStage(shares, layout))
            QCOMPARE(share, 1.0 / 3);
        QCOMPARE(shares.perRank[0].tail, 1.0);
        QCOMPARE(shares.perRank[1].tail, 1.0);
        QCOMPARE(shares.perRank[1].coolDown, end - lastOfStage1);
    }

    void idleBetweenComputeIsSplitByWhatItWaitedFor()
    {
        const Layout layout = pipeline(2);
        std::vector<Span> spans{compute(0, Kind::Forward, 0, 0, 10),
                                compute(1, Kind::Forward, 0, 1, 2),
                                span(1, Kind::ReceiveActivation, 1, 2, 4, 5, Lane::ReceivePrevious),
                                compute(1, Kind::Forward, 1, 5.5, 8)};
        const LaneShare share = stepShares(spans, layout).perRank[1];
        QCOMPARE(share.warmUp, 1.0);
        QCOMPARE(share.compute, 3.5);
        QCOMPARE(share.peerWait, 2.0);
        QCOMPARE(share.exposedTransfer, 1.0);
        QCOMPARE(share.steady, 0.5);
        QCOMPARE(share.coolDown, 2.0);
        QCOMPARE(share.tail, 0.0);
    }

    void receiveExplainsIdleTimeBeforeSend()
    {
        const Layout layout = pipeline(2);
        std::vector<Span> spans{compute(0, Kind::Forward, 0, 0, 1),
                                span(0, Kind::SendActivation, 0, 1, 1, 4, Lane::SendNext),
                                span(0, Kind::ReceiveGradient, 0, 1, 3, 4, Lane::ReceiveNext),
                                compute(0, Kind::Backward, 0, 4, 6)};
        const LaneShare share = stepShares(spans, layout).perRank[0];
        QCOMPARE(share.peerWait, 2.0);
        QCOMPARE(share.exposedTransfer, 1.0);
    }

    void tensorCollectivesAreNotBusyTime()
    {
        Layout layout;
        layout.tp = 2;
        Span forward = compute(0, Kind::Forward, 0, 0, 10);
        forward.tensorWait = 1;
        forward.tensorTransfer = 2;
        const LaneShare share =
            stepShares({forward, compute(1, Kind::Forward, 0, 0, 10)}, layout).perRank[0];
        QCOMPARE(share.compute, 7.0);
        QCOMPARE(share.tensorWait, 1.0);
        QCOMPARE(share.tensorTransfer, 2.0);
        QCOMPARE(share.idle(), 0.0);
    }

    void everySecondIsAttributedOnce_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::addColumn<QString>("schedule");
        for (const char* schedule : {"1f1b", "gpipe"}) {
            QTest::addRow("1x1x1 %s", schedule) << 1 << 1 << 1 << schedule;
            QTest::addRow("2x2x2 %s", schedule) << 2 << 2 << 2 << schedule;
            QTest::addRow("3x1x4 %s", schedule) << 3 << 1 << 4 << schedule;
            QTest::addRow("1x2x8 %s", schedule) << 1 << 2 << 8 << schedule;
        }
    }

    void everySecondIsAttributedOnce()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        QFETCH(QString, schedule);
        const RunPlan plan = smallPlan(dp, tp, pp, 6, schedule.toStdString());
        Durations durations;
        durations.jitter = 0.4;
        const RunRecords records = playRun(plan, 1, durations);
        const StepShares shares = stepShares(records.all.spans, plan.layout);
        QCOMPARE(int(shares.perRank.size()), plan.layout.ranks());
        for (const LaneShare& share : shares.perRank) {
            QVERIFY(std::abs(share.window() - (shares.end - shares.begin)) < 1e-9);
            for (const double part :
                 {share.compute, share.tensorWait, share.tensorTransfer, share.warmUp, share.steady,
                  share.peerWait, share.exposedTransfer, share.coolDown, share.tail})
                QVERIFY(part >= 0);
            QVERIFY(share.compute > 0);
            QVERIFY(share.tail > 0);
        }
    }

    void sumsStayExactWhenSpansOverlapOrAreBroken()
    {
        const Layout layout = pipeline(2);
        std::vector<Span> spans{
            compute(0, Kind::Forward, 0, 0, 4),     compute(0, Kind::Forward, 1, 3, 5),
            compute(0, Kind::Forward, 2, 3.5, 4.5), compute(0, Kind::Backward, 0, 6, 6),
            compute(0, Kind::Backward, 1, 9, 7),    compute(1, Kind::Forward, 0, std::nan(""), 4),
            compute(7, Kind::Forward, 0, 0, 100),   compute(1, Kind::Backward, 0, 2, 8)};
        const StepShares shares = stepShares(spans, layout);
        QCOMPARE(shares.begin, 0.0);
        QCOMPARE(shares.end, 8.0);
        QCOMPARE(shares.perRank[0].compute, 5.0);
        QCOMPARE(shares.perRank[0].window(), 8.0);
        QCOMPARE(shares.perRank[1].window(), 8.0);
    }

    void ranksWithoutSpansGetZeros()
    {
        const Layout layout = pipeline(2);
        const StepShares shares = stepShares({compute(0, Kind::Forward, 0, 1, 2)}, layout);
        QCOMPARE(shares.step, 3);
        QCOMPARE(shares.perRank[1].window(), 0.0);
        const std::vector<double> bubbles = bubbleByStage(shares, layout);
        QCOMPARE(bubbles[0], 0.0);
        QVERIFY(std::isnan(bubbles[1]));
        QCOMPARE(bubble(shares, layout), 0.0);
        QVERIFY(std::isnan(bubble(stepShares({}, layout), layout)));
    }
};

QTEST_APPLESS_MAIN(TestMetrics)
#include "test_metrics.moc"
