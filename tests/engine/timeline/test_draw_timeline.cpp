#include <QtTest>

#include "engine/core/random.h"
#include "engine/core/units.h"
#include "engine/timeline/aggregate_painter.h"
#include "engine/timeline/display_list.h"
#include "engine/timeline/time_axis.h"

#include <cmath>
#include <functional>

using namespace triaxis;

namespace
{

Span work(double begin, double end, int microbatch = 0, Kind kind = Kind::Forward,
          std::int32_t step = 1)
{
    Span s;
    s.step = step;
    s.id = InstructionId(kind, Chunk(0), Microbatch(microbatch));
    s.ready = s.begin = begin;
    s.end = end;
    return s;
}

Lanes oneRank(const std::vector<Span>& spans)
{
    Lanes lanes{Layout{}};
    lanes.append(spans);
    return lanes;
}

TimelineView viewOf(double from, double to, double width = 1710)
{
    TimelineView view;
    view.from = from;
    view.to = to;
    view.width = width;
    return view;
}

/// Painted pixels of each ink on the first compute lane.
std::array<double, inkCount> painted(const DisplayList& list, const TimelineView& view)
{
    std::array<double, inkCount> sums{};
    double top = -1;
    for (const DisplayItem& item : list.items) {
        const auto* rect = std::get_if<FillRect>(&item);
        if (!rect || rect->height != view.computeHeight)
            continue;
        if (top < 0)
            top = rect->y;
        if (rect->y == top)
            sums[std::size_t(rect->ink)] += rect->width;
    }
    const double lane = sums[std::size_t(Ink::Idle)];
    double busy = 0;
    for (int ink = 0; ink < int(Ink::Idle); ++ink)
        busy += sums[std::size_t(ink)];
    sums[std::size_t(Ink::Idle)] = lane - busy;
    return sums;
}

std::vector<FillRect> spansOf(const DisplayList& list, const TimelineView& view)
{
    std::vector<FillRect> rects;
    for (const DisplayItem& item : list.items) {
        const auto* rect = std::get_if<FillRect>(&item);
        if (rect && rect->height == view.computeHeight && rect->ink != Ink::Idle)
            rects.push_back(*rect);
    }
    return rects;
}

std::vector<std::string> textsOf(const DisplayList& list)
{
    std::vector<std::string> texts;
    for (const DisplayItem& item : list.items) {
        if (const auto* text = std::get_if<DrawText>(&item))
            texts.push_back(text->text);
    }
    return texts;
}

bool contains(const std::vector<std::string>& texts, const std::string& wanted)
{
    return std::find(texts.begin(), texts.end(), wanted) != texts.end();
}

constexpr Kind kinds[] = {Kind::Forward, Kind::Backward, Kind::BackwardWeight, Kind::OptimizerStep};

/// Spans and gaps of random lengths about a mean, log-uniform over `spread` decades.
std::vector<Span> randomTrack(std::uint64_t seed, double mean, double spread, double busyShare)
{
    const CounterRandom random(seed, "track");
    std::vector<Span> spans;
    double time = 0;
    for (std::uint64_t i = 0; time < 1; ++i) {
        const auto length = [&](std::uint64_t n) {
            return mean * std::pow(10, spread * (random.uniform(n) - 0.5));
        };
        const double begin = time + length(3 * i) * (1 - busyShare);
        time = begin + length(3 * i + 1) * busyShare;
        spans.push_back(work(begin, time, int(i), kinds[random.bits(3 * i + 2) % 4]));
    }
    return spans;
}

std::vector<Span> periodicTrack(double period, double busy)
{
    std::vector<Span> spans;
    for (int i = 0; i * period < 1; ++i)
        spans.push_back(work(i * period, i * period + busy * period, i, kinds[i % 2]));
    return spans;
}

} // namespace

class TestDrawTimeline : public QObject
{
    Q_OBJECT

private slots:
    void paintedSharesAreExact_data()
    {
        QTest::addColumn<std::vector<Span>>("spans");
        for (const double pixels : {0.02, 0.11, 0.4, 0.97, 1.0, 1.31, 3.0, 7.7, 40.0}) {
            const double length = pixels / 1600;
            for (const double busy : {0.5, 0.8, 0.97}) {
                QTest::addRow("random %g px, busy %g", pixels, busy)
                    << randomTrack(std::uint64_t(pixels * 1000 + busy * 100), length, 1.5, busy);
                QTest::addRow("periodic %g px, busy %g", pixels, busy)
                    << periodicTrack(length, busy);
            }
        }
    }

    void paintedSharesAreExact()
    {
        QFETCH(std::vector<Span>, spans);
        const Lanes lanes = oneRank(spans);
        for (const auto& [from, to] : {std::pair(0.0, 1.0), {0.1234, 0.9321}}) {
            const TimelineView view = viewOf(from, to);
            const auto pixels = painted(drawTimeline(lanes, view), view);
            const auto exact = lanes.ranks()[0].compute.shares(from, to);
            for (int c = 0; c < categoryCount; ++c) {
                const double share = exact[std::size_t(c)] / (to - from);
                const double shown = pixels[std::size_t(inkOf(Category(c)))] / 1600;
                QVERIFY2(std::abs(shown - share) < 0.001,
                         qPrintable(QString("%1: painted %2, exact %3")
                                        .arg(toText(Category(c)))
                                        .arg(shown)
                                        .arg(share)));
            }
        }
    }

    void spansLieInsideThePlotAndDoNotOverlap()
    {
        const Lanes lanes = oneRank(randomTrack(3, 0.002, 4, 0.7));
        const TimelineView view = viewOf(0.2, 0.7, 1000);
        double right = view.headerWidth;
        for (const FillRect& rect : spansOf(drawTimeline(lanes, view), view)) {
            QVERIFY(rect.x >= right - 1e-6);
            QVERIFY(rect.width > 0);
            right = rect.x + rect.width;
        }
        QVERIFY(right <= view.width + 1e-6);
    }

    void columnsOfOneCategoryMelt()
    {
        std::vector<Span> spans;
        for (int i = 0; i < 100000; ++i)
            spans.push_back(work(i * 1e-5, (i + 1) * 1e-5, i));
        const TimelineView view = viewOf(0, 1);
        const auto rects = spansOf(drawTimeline(oneRank(spans), view), view);
        QCOMPARE(int(rects.size()), 1);
        QCOMPARE(rects[0].width, 1600.0);
    }

    void numberOfItemsDependsOnPixelsNotOnSpans()
    {
        const Lanes lanes = oneRank(randomTrack(11, 1e-5, 1, 0.7));
        const TimelineView view = viewOf(0, 1);
        QVERIFY(lanes.ranks()[0].compute.size() > 80000);
        QVERIFY(drawTimeline(lanes, view).items.size() < 1700);
    }

    void threeRegimesByWidth()
    {
        // 1600 px over 1 s: 20 px with a number, 3 px bare, then 0.5 px and 0.5 px idle in turn.
        std::vector<Span> spans{work(0, 20 / 1600.0, 6), work(30 / 1600.0, 33 / 1600.0, 7)};
        for (int i = 0; i < 100; ++i)
            spans.push_back(work((40 + i) / 1600.0, (40.5 + i) / 1600.0, i));
        const TimelineView view = viewOf(0, 1);
        const DisplayList list = drawTimeline(oneRank(spans), view);
        const auto rects = spansOf(list, view);
        QVERIFY(rects[0].radius > 0);
        QCOMPARE(rects[0].width, 20.0);
        QCOMPARE(rects[1].radius, 0.0);
        QVERIFY(std::abs(rects[1].width - 3) < 1e-9);
        QVERIFY(contains(textsOf(list), "6"));
        QVERIFY(!contains(textsOf(list), "7"));
        double dense = 0;
        for (std::size_t i = 2; i < rects.size(); ++i) {
            QCOMPARE(rects[i].x, std::floor(rects[i].x + 0.5));
            dense += rects[i].width;
        }
        QVERIFY(std::abs(dense - 50) <= 1);
    }

    void waitsAreHatchedOnTheCommunicationTrack()
    {
        Span receive = work(0.5, 0.6);
        receive.id = InstructionId(Kind::ReceiveActivation, Chunk(0), Microbatch(0));
        receive.lane = Lane::ReceivePrevious;
        receive.ready = 0.1;
        const TimelineView view = viewOf(0, 1);
        const DisplayList list = drawTimeline(oneRank({receive}), view);
        int waits = 0;
        for (const DisplayItem& item : list.items) {
            const auto* rect = std::get_if<FillRect>(&item);
            if (rect && rect->ink == Ink::Wait) {
                ++waits;
                QVERIFY(rect->hatched);
                QCOMPARE(rect->height, view.communicationHeight);
                QVERIFY(std::abs(rect->width - 640) < 1e-9);
            }
        }
        QCOMPARE(waits, 1);
    }

    void lanesAndGroupsAreNamed()
    {
        Layout layout;
        layout.dp = layout.tp = layout.pp = 2;
        Lanes lanes(layout);
        lanes.append({work(0, 1)});
        const auto texts = textsOf(drawTimeline(lanes, viewOf(0, 1)));
        for (const char* wanted :
             {"data 0", "data 1", "dp0 · pp0 · tp0", "dp1 · pp1 · tp1", "rank 0", "rank 7"})
            QVERIFY2(contains(texts, wanted), wanted);
    }

    void tensorShareIsAStripAtTheBottomOfASpan()
    {
        Span span = work(0, 0.5);
        span.tensorWait = 0.1;
        span.tensorTransfer = 0.2;
        const TimelineView view = viewOf(0, 1);
        const DisplayList list = drawTimeline(oneRank({span, work(0.6, 0.8, 1)}), view);
        std::vector<FillRect> strips;
        for (const DisplayItem& item : list.items) {
            const auto* rect = std::get_if<FillRect>(&item);
            if (rect && (rect->ink == Ink::Wait || rect->ink == Ink::Tensor))
                strips.push_back(*rect);
        }
        const FillRect whole = spansOf(list, view).at(0);
        QCOMPARE(strips.size(), std::size_t(2));
        QCOMPARE(strips[0].ink, Ink::Wait);
        QCOMPARE(strips[0].x, whole.x);
        QVERIFY(std::abs(strips[0].width - 160) < 1e-3);
        QVERIFY(std::abs(strips[1].width - 320) < 1e-3);
        QVERIFY(std::abs(strips[1].x - strips[0].x - strips[0].width) < 1e-9);
        QCOMPARE(strips[1].y + strips[1].height, whole.y + whole.height);
    }

    void narrowHeadersCarryNoText()
    {
        TimelineView view = viewOf(0, 1, 400);
        view.headerWidth = 0;
        view.axis = false;
        const Lanes lanes = oneRank({work(0, 1, 11)});
        QCOMPARE(textsOf(drawTimeline(lanes, view)), std::vector<std::string>{"11"});
        QCOMPARE(spansOf(drawTimeline(lanes, view), view).at(0).width, 400.0);
    }

    void onlyLanesInTheViewportAreDrawn()
    {
        Layout layout;
        layout.dp = 100;
        Lanes lanes(layout);
        lanes.append({work(0, 1)});
        TimelineView view = viewOf(0, 1);
        QVERIFY(timelineHeight(lanes, view) > 3000);
        view.height = 400;
        view.scrollY = 1000;
        const DisplayList list = drawTimeline(lanes, view);
        QCOMPARE(list.height, 400.0);
        QVERIFY(list.items.size() < 200);
        QVERIFY(!contains(textsOf(list), "rank 0"));
        view.scrollY = timelineHeight(lanes, view) - 400;
        QVERIFY(contains(textsOf(drawTimeline(lanes, view)), "rank 99"));
    }

    void everyLaneIsInAWholePicture()
    {
        Layout layout;
        layout.dp = 4;
        layout.pp = 8;
        Lanes lanes(layout);
        std::vector<Span> spans;
        for (int r = 0; r < 32; ++r) {
            spans.push_back(work(0, 1));
            spans.back().rank = Rank(r);
        }
        lanes.append(spans);
        const TimelineView view = viewOf(0, 1);
        const DisplayList list = drawTimeline(lanes, view);
        QCOMPARE(list.height, timelineHeight(lanes, view));
        QCOMPARE(int(spansOf(list, view).size()), 32);
        for (const FillRect& rect : spansOf(list, view))
            QVERIFY(rect.y + rect.height <= list.height);
    }

    void ticksAreRoundAndInOneUnit_data()
    {
        QTest::addColumn<double>("length");
        QTest::addColumn<QString>("second");
        QTest::newRow("µs") << 100e-6 << QString("10\u202fµs");
        QTest::newRow("ms") << 0.2 << QString("20\u202fms");
        QTest::newRow("s") << 7.0 << QString("1\u202fs");
        QTest::newRow("below 1 µs") << 2e-6 << QString("0.2\u202fµs");
        QTest::newRow("many s") << 5000.0 << QString("500\u202fs");
    }

    void ticksAreRoundAndInOneUnit()
    {
        QFETCH(double, length);
        QFETCH(QString, second);
        const auto ticks = timeTicks(3, 3 + length, 3, 1000 / length);
        QVERIFY(ticks.size() >= 5);
        QCOMPARE(QString::fromStdString(ticks[0].label), QString("0"));
        QCOMPARE(QString::fromStdString(ticks[1].label), second);
        for (std::size_t i = 1; i < ticks.size(); ++i)
            QVERIFY((ticks[i].time - ticks[i - 1].time) * 1000 / length >= 80 - 1e-6);
    }

    void columnsOfAnAggregateAreExact_data()
    {
        QTest::addColumn<double>("share");
        QTest::newRow("many spans a column") << 1.0;
        QTest::newRow("about one") << 0.05;
        QTest::newRow("many columns a span") << 0.001;
    }

    void columnsOfAnAggregateAreExact()
    {
        QFETCH(double, share);
        const CounterRandom random(7, "columns");
        Track track;
        double now = 0;
        for (std::uint64_t i = 0; i < 20000; ++i) {
            const double begin = now + 1e-3 * random.uniform(3 * i);
            now = begin + 1e-3 * random.uniform(3 * i + 1);
            track.append(begin, now, i % 3 ? Category::Forward : Category::Wait,
                         InstructionId(Kind::Forward, Chunk(0), Microbatch(0)), 1);
        }
        TrackFrame frame;
        frame.left = 150.4; // the first column is no whole one
        frame.width = 800.3;
        frame.from = now * (1 - share) / 2 - 0.01;
        frame.to = now * (1 + share) / 2 + 0.01;
        const auto timeAt = [&](double x) {
            return frame.from + (x - frame.left) * ((frame.to - frame.from) / frame.width);
        };
        const auto columns = aggregateColumns({&track}, frame);
        QCOMPARE(columns.size(), std::size_t(801));
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const double left = i == 0 ? frame.left : 150.0 + double(i);
            const double right = std::min(frame.left + frame.width, 151.0 + double(i));
            const auto exact = track.shares(timeAt(left), timeAt(right));
            for (const Category category : {Category::Forward, Category::Wait, Category::Backward})
                QVERIFY(std::abs(columns[i][std::size_t(category)] -
                                 exact[std::size_t(category)]) < 1e-9);
        }
    }

    void timesWithoutSecondsAreToldInPercentOfTheWhole()
    {
        Lanes lanes{Layout{}};
        lanes.append({work(0, 7, 0, Kind::Forward, 1), work(7, 21, 0, Kind::Backward, 1)});
        QCOMPARE(lanes.timeText(7), units::seconds(7));
        lanes.setWhole(21);
        QCOMPARE(lanes.timeText(7), units::percent(1.0 / 3));
        const auto ticks = timeTicks(0, 21, 0, 1000.0 / 21, 80, 21);
        QCOMPARE(ticks.size(), std::size_t(11));
        QCOMPARE(QString::fromStdString(ticks[1].label), QString("10\u202f%"));
        QVERIFY(std::abs(ticks[1].time - 2.1) < 1e-9);
        const auto texts = textsOf(drawTimeline(lanes, viewOf(0, 21)));
        QVERIFY(contains(texts, "of the step"));
        QVERIFY(!contains(texts, "step 1"));
        for (const std::string& text : texts)
            QVERIFY2(!QString::fromStdString(text).endsWith("\u202fs"), text.c_str());
    }

    void axisCountsFromTheStepInAStepView()
    {
        Lanes lanes{Layout{}};
        for (int step = 1; step <= 20; ++step)
            lanes.append({work(step * 0.1, step * 0.1 + 0.09, 0, Kind::Forward, step)});
        const auto step7 = lanes.stepRange(7);
        QCOMPARE(axisOrigin(lanes, viewOf(step7.first, step7.second)).step, 7);
        QCOMPARE(axisOrigin(lanes, viewOf(step7.first, step7.second)).time, step7.first);
        QVERIFY(
            contains(textsOf(drawTimeline(lanes, viewOf(step7.first, step7.second))), "step 7"));
        QCOMPARE(axisOrigin(lanes, viewOf(0, 2)).step, -1);
        QVERIFY(contains(textsOf(drawTimeline(lanes, viewOf(0, 2))), "since start"));
    }

    void brokenInputGivesAHint()
    {
        const Lanes empty{Layout{}};
        QVERIFY(contains(textsOf(drawTimeline(empty, viewOf(0, 1))), "No spans recorded yet"));
        const Lanes lanes = oneRank({work(0, 1)});
        QVERIFY(contains(textsOf(drawTimeline(lanes, viewOf(1, 1))), "No time range"));
        QVERIFY(contains(textsOf(drawTimeline(lanes, viewOf(0, std::nan("")))), "No time range"));
        QVERIFY(!drawTimeline(lanes, viewOf(0, 1, 20)).items.empty());
        QVERIFY(!drawTimeline(lanes, viewOf(-1e-12, 1e-12)).items.empty());
        QVERIFY(!drawTimeline(lanes, viewOf(-1e9, 1e9)).items.empty());
    }

    void hitTestFindsWhatIsPainted()
    {
        Layout layout;
        layout.pp = 2;
        Lanes lanes(layout);
        Span second = work(0.5, 0.75, 4);
        second.rank = Rank(1);
        Span receive = work(0.3, 0.5, 4, Kind::ReceiveActivation);
        receive.rank = Rank(1);
        receive.lane = Lane::ReceivePrevious;
        receive.ready = 0.25;
        lanes.append({work(0, 0.25), second, receive});
        const TimelineView view = viewOf(0, 1);
        for (const FillRect& rect : spansOf(drawTimeline(lanes, view), view)) {
            const TimelineHit hit = hitTest(lanes, view, rect.x + rect.width / 2, rect.y + 9);
            QVERIFY(hit.found);
            QVERIFY(!hit.communication);
            QCOMPARE(hit.rank, rect.x < 500 ? Rank(0) : Rank(1));
            QCOMPARE(hit.index, std::size_t(0));
        }
        const double x = view.headerWidth + 0.4 * 1600;
        const auto rects = spansOf(drawTimeline(lanes, view), view);
        const TimelineHit below = hitTest(lanes, view, x, rects[1].y + view.computeHeight + 8);
        QVERIFY(below.found);
        QVERIFY(below.communication);
        QCOMPARE(below.index, std::size_t(1));
        QVERIFY(std::abs(below.time - 0.4) < 1e-12);
        QVERIFY(!hitTest(lanes, view, view.headerWidth + 0.4 * 1600, rects[0].y + 5).found);
        QVERIFY(!hitTest(lanes, view, 5, rects[0].y + 5).found);
        QVERIFY(!hitTest(lanes, view, 500, 2).found);
    }
};

QTEST_APPLESS_MAIN(TestDrawTimeline)
#include "test_draw_timeline.moc"
