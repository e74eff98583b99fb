#include "engine/schedule/passes.h"
#include "tests/engine/timeline/played_run.h"
#include "ui/widgets/lane_statistics.h"

#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class LaneStatisticsTest : public QObject
{
    Q_OBJECT

private:
    static Span compute(int rank, double begin, double end, int microbatch)
    {
        Span span;
        span.step = 3;
        span.rank = Rank(rank);
        span.id = {Kind::Forward, Chunk(0), Microbatch(microbatch)};
        span.ready = begin;
        span.begin = begin;
        span.end = end;
        return span;
    }

    static Lanes twoRanks()
    {
        Layout layout;
        layout.pp = 2;
        Lanes lanes(layout);
        lanes.append({compute(0, 0, 2, 0), compute(0, 2, 4, 1), compute(1, 1, 2, 0)});
        return lanes;
    }

private slots:
    void measuresSecondsBusyShareAndSpans()
    {
        const RangeStatistics all = measure(twoRanks(), {0, 4});
        QCOMPARE(all.seconds, 4.0);
        QVERIFY(qAbs(all.busy - 5.0 / 8.0) < 1e-12);
        QCOMPARE(all.spans, std::size_t(3));
    }

    void countsSpansThatOnlyTouchTheRange()
    {
        const RangeStatistics part = measure(twoRanks(), {1.5, 2.5});
        QCOMPARE(part.spans, std::size_t(3));
        QVERIFY(qAbs(part.busy - 1.5 / 2.0) < 1e-12);
    }

    void emptyPartIsIdle()
    {
        const RangeStatistics idle = measure(twoRanks(), {5, 6});
        QCOMPARE(idle.spans, std::size_t(0));
        QCOMPARE(idle.busy, 0.0);
    }

    void saysWhichStepsAreVisible()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        const RunRecords run = tests::playRun(plan, 3, {});
        Lanes lanes(plan.layout);
        lanes.append(run.all.spans);
        const auto [begin, end] = lanes.stepRange(2);
        QCOMPARE(stepsWithin(lanes, {begin, end}), std::pair(2, 2));
        QCOMPARE(stepsWithin(lanes, {lanes.begin(), lanes.end()}), std::pair(1, 3));
        QCOMPARE(stepsWithin(lanes, {-2, -1}), std::pair(0, -1));
        QCOMPARE(stepsShown(lanes, {-2, -1}), std::pair(0, -1));
        // A little of a neighbour at the edge is not meant, ...
        const double little = (end - begin) * 0.01;
        QCOMPARE(stepsShown(lanes, {begin - little, end + little}), std::pair(2, 2));
        // ... all of it is, however short it is against the window.
        Lanes many(lanes.layout());
        for (int step = 1; step <= 200; ++step) {
            Span span;
            span.step = step;
            span.lane = Lane::Compute;
            span.ready = span.begin = step;
            span.end = step + 0.9;
            many.append({span});
        }
        QCOMPARE(stepsShown(many, {many.begin(), many.end()}), std::pair(1, 200));
        QCOMPARE(stepsShown(many, {many.begin() + 0.7, many.end()}), std::pair(2, 200));
    }

    void describesASpanInWords()
    {
        const Lanes lanes = twoRanks();
        const QString text = describe(lanes, {0, false, 1});
        QVERIFY2(text.contains("rank 0"), qPrintable(text));
        QVERIFY2(text.contains("forward of microbatch 1"), qPrintable(text));
        QVERIFY2(text.contains("step 3"), qPrintable(text));
    }
};

QTEST_APPLESS_MAIN(LaneStatisticsTest)
#include "lane_statistics_test.moc"
