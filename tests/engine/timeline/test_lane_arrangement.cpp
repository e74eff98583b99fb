#include <QtTest>

#include "engine/timeline/display_list.h"
#include "engine/timeline/lane_label.h"
#include "engine/timeline/lane_painter.h"
#include "engine/timeline/live_timeline.h"
#include "engine/timeline/timeline_geometry.h"
#include "tests/engine/timeline/played_run.h"

#include <numeric>

using namespace triaxis;

namespace
{

Layout cube()
{
    Layout layout;
    layout.dp = layout.tp = layout.pp = 2;
    return layout;
}

std::vector<int> ranksOf(const Lanes& lanes, const std::vector<LaneRow>& rows)
{
    std::vector<int> ranks;
    for (const LaneRow& row : rows) {
        if (row.kind == LaneRow::Kind::Lane)
            ranks.push_back(lanes.ranks()[row.lane].rank.value);
    }
    return ranks;
}

int countOf(const std::vector<LaneRow>& rows, LaneRow::Kind kind)
{
    return int(std::count_if(rows.begin(), rows.end(),
                             [kind](const LaneRow& row) { return row.kind == kind; }));
}

TimelineView viewOf(const Lanes& lanes, const LaneArrangement& arrangement, double from, double to)
{
    TimelineView view;
    view.from = from;
    view.to = to;
    view.width = 1000 + view.headerWidth;
    view.rows = std::make_shared<const std::vector<LaneRow>>(arrangeLanes(lanes, arrangement));
    return view;
}

/// Painted area of everything but idle within a band, as a share of the band.
double busyShare(const DisplayList& list, double top, double height, double left, double width)
{
    double area = 0;
    for (const DisplayItem& item : list.items) {
        const auto* rect = std::get_if<FillRect>(&item);
        if (rect && rect->ink < Ink::Idle && rect->x >= left - 1e-9 && rect->y >= top - 1e-9 &&
            rect->y + rect->height <= top + height + 1e-9)
            area += rect->width * rect->height;
    }
    return area / (width * height);
}

/// The same of a picture with columns.
double busyShare(const LiveTimeline& picture, double top, double height, double left, double width)
{
    double share = 0;
    for (const LiveTimeline::Part& part : picture.parts) {
        share += busyShare(part.items, top, height, left, width);
        const StackedColumns& stack = part.columns;
        for (const Ink ink : stack.inks)
            if (stack.top >= top - 1e-9 && stack.top + stack.height <= top + height + 1e-9)
                share += stack.area(ink) / (width * height);
    }
    return share;
}

} // namespace

class TestLaneArrangement : public QObject
{
    Q_OBJECT

private slots:
    void groupsByAnyAxis()
    {
        const Lanes lanes(cube());
        for (const Axis axis : {Axis::Data, Axis::Tensor, Axis::Pipeline}) {
            LaneArrangement arrangement;
            arrangement.group = axis;
            const auto rows = arrangeLanes(lanes, arrangement);
            QCOMPARE(countOf(rows, LaneRow::Kind::Heading), 2);
            QCOMPARE(countOf(rows, LaneRow::Kind::Lane), 8);
            for (const LaneRow& row : rows) {
                QCOMPARE(row.axis, axis);
                QCOMPARE(coordinateOf(lanes.ranks()[row.lane].at, axis), row.group);
            }
        }
        LaneArrangement plain;
        plain.group.reset();
        std::vector<int> all(8);
        std::iota(all.begin(), all.end(), 0);
        QCOMPARE(ranksOf(lanes, arrangeLanes(lanes, plain)), all);
    }

    void anAxisOfOneHasNoHeadings()
    {
        Layout layout;
        layout.pp = 4;
        QCOMPARE(countOf(arrangeLanes(Lanes(layout), {}), LaneRow::Kind::Heading), 0);
    }

    void filtersByCoordinate()
    {
        const Lanes lanes(cube());
        LaneArrangement arrangement;
        arrangement.toggleOnly(Axis::Pipeline, 1);
        for (const int rank : ranksOf(lanes, arrangeLanes(lanes, arrangement)))
            QCOMPARE(coordinatesOf(lanes.layout(), Rank(rank)).pipeline, 1);
        QVERIFY(arrangement.hides(lanes.layout()));
        arrangement.toggleOnly(Axis::Tensor, 0);
        QCOMPARE(int(ranksOf(lanes, arrangeLanes(lanes, arrangement)).size()), 2);
        arrangement.toggleOnly(Axis::Pipeline, 0);
        QCOMPARE(int(ranksOf(lanes, arrangeLanes(lanes, arrangement)).size()), 4);
        arrangement.toggleOnly(Axis::Pipeline, 0);
        arrangement.toggleOnly(Axis::Pipeline, 1);
        arrangement.toggleOnly(Axis::Tensor, 0);
        QCOMPARE(arrangement, LaneArrangement{});
    }

    void pinnedLanesComeFirstAndOnlyOnce()
    {
        const Lanes lanes(cube());
        LaneArrangement arrangement;
        arrangement.togglePinned(Rank(6));
        arrangement.togglePinned(Rank(1));
        arrangement.togglePinned(Rank(99));
        const auto rows = arrangeLanes(lanes, arrangement);
        QVERIFY(rows[0].pinned && rows[1].pinned && !rows[2].pinned);
        const auto ranks = ranksOf(lanes, rows);
        QCOMPARE(ranks[0], 6);
        QCOMPARE(ranks[1], 1);
        QCOMPARE(int(ranks.size()), 8);
        QCOMPARE(std::set<int>(ranks.begin(), ranks.end()).size(), std::size_t(8));
        arrangement.togglePinned(Rank(6));
        QCOMPARE(ranksOf(lanes, arrangeLanes(lanes, arrangement)).front(), 1);
    }

    void hiddenLanesLeaveNoGap()
    {
        const Lanes lanes(cube());
        LaneArrangement arrangement;
        arrangement.hidden = {Rank(0), Rank(5)};
        const auto rows = arrangeLanes(lanes, arrangement);
        QCOMPARE(countOf(rows, LaneRow::Kind::Lane), 6);
        const TimelineView view = viewOf(lanes, arrangement, 0, 1);
        const TimelineGeometry geometry(lanes, view);
        for (std::size_t row = 0; row + 1 < rows.size(); ++row)
            QCOMPARE(geometry.rowTop(row) + geometry.rowHeight(row), geometry.rowTop(row + 1));
        QCOMPARE(geometry.laneTop(*lanes.laneOf(Rank(0))), -1.0);
    }

    void pinnedLanesStayWhileOthersScroll()
    {
        const RunPlan plan = tests::smallPlan(2, 2, 2, 4);
        Lanes lanes(plan.layout);
        lanes.append(tests::playRun(plan, 2, {}).all.spans);
        LaneArrangement arrangement;
        arrangement.pinned = {Rank(7)};
        TimelineView view = viewOf(lanes, arrangement, lanes.begin(), lanes.end());
        view.height = 150;
        view.scrollY = 120;
        const TimelineGeometry geometry(lanes, view);
        QCOMPARE(geometry.shownTop(0), geometry.rowTop(0));
        QCOMPARE(geometry.shownTop(2), geometry.rowTop(2) - 120);
        const TimelineHit hit = hitTest(lanes, view, 500, geometry.shownTop(0) + 5);
        QCOMPARE(hit.rank, Rank(7));
        QVERIFY(hit.row == 0);
    }

    void collapsedGroupsKeepExactShares_data()
    {
        QTest::addColumn<int>("zoom");
        QTest::addColumn<bool>("kept");
        for (int zoom = 0; zoom < 10; ++zoom) {
            QTest::addRow("zoom %d", zoom) << zoom << false;
            QTest::addRow("zoom %d, sums kept", zoom) << zoom << true;
        }
    }

    void collapsedGroupsKeepExactShares()
    {
        QFETCH(int, zoom);
        QFETCH(bool, kept);
        const RunPlan plan = tests::smallPlan(2, 2, 4, 8);
        Lanes lanes(plan.layout);
        lanes.append(tests::playRun(plan, 40, {.jitter = 0.3}).all.spans);
        LaneArrangement arrangement;
        arrangement.collapsed = {0, 1};
        const double span = (lanes.end() - lanes.begin()) * std::pow(0.5, zoom);
        const double from = lanes.begin() + (lanes.end() - lanes.begin() - span) * 0.37;
        const TimelineView view = viewOf(lanes, arrangement, from, from + span);
        const TimelineGeometry geometry(lanes, view);
        QCOMPARE(geometry.rows().size(), std::size_t(2));
        LiveTimeline live;
        drawTimeline(live, lanes, view);
        const DisplayList list = drawTimeline(lanes, view);
        for (std::size_t row = 0; row < 2; ++row) {
            const LaneRow& group = geometry.rows()[row];
            QCOMPARE(group.kind, LaneRow::Kind::Group);
            double busy = 0;
            for (const std::size_t lane : group.lanes) {
                const auto shares = lanes.ranks()[lane].compute.shares(view.from, view.to);
                busy += 1 - shares[std::size_t(Category::Idle)] / span;
            }
            busy /= double(group.lanes.size());
            const double top = geometry.shownTop(row) + geometry.computeOffset();
            const double height = geometry.computeHeight(group);
            const double painted =
                kept ? busyShare(live, top, height, geometry.plotLeft(), geometry.plotWidth())
                     : busyShare(list, top, height, geometry.plotLeft(), geometry.plotWidth());
            QVERIFY2(std::abs(painted - busy) < 1e-6,
                     qPrintable(QStringLiteral("%1 for %2").arg(painted).arg(busy)));
        }
    }

    void streamsHaveLanesOfTheirOwn()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        Lanes lanes(plan.layout);
        lanes.append(tests::playRun(plan, 2, {}).all.spans);
        TimelineView view = viewOf(lanes, {}, lanes.begin(), lanes.end());
        const double merged = timelineHeight(lanes, view);
        view.streams = true;
        QVERIFY(timelineHeight(lanes, view) > merged);
        const TimelineGeometry geometry(lanes, view);
        const std::size_t row = *geometry.rowOfLane(0);
        const auto& streams = lanes.ranks()[0].streams;
        QVERIFY(streams.size() >= 3);
        QVERIFY(std::is_sorted(streams.begin(), streams.end(),
                               [](const auto& a, const auto& b) { return a.lane < b.lane; }));
        for (int s = 0; s < int(streams.size()); ++s) {
            const auto at = geometry.rowAt(geometry.shownTop(row) + geometry.streamOffset(s) + 2);
            QVERIFY(at && at->communication);
            QCOMPARE(at->stream, s);
        }
    }

    void lanesAreColouredByAnAxis()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        Lanes lanes(plan.layout);
        lanes.append(tests::playRun(plan, 1, {}).all.spans);
        TimelineView view = viewOf(lanes, {}, lanes.begin(), lanes.end());
        view.colourBy = Axis::Pipeline;
        const TimelineGeometry geometry(lanes, view);
        for (const DisplayItem& item : drawTimeline(lanes, view).items) {
            const auto* text = std::get_if<DrawText>(&item);
            if (!text || !text->contrast || text->text.size() > 2)
                continue;
            const auto row = geometry.rowAt(text->y);
            QVERIFY(row);
            const int stage = lanes.ranks()[geometry.rows()[row->row].lane].at.pipeline;
            QCOMPARE(text->ink, memberInk(stage));
            for (const Palette* palette : {&lightPalette(), &darkPalette(), &highContrastPalette()})
                QVERIFY(contrastRatio(colourOf(*text, *palette),
                                      blend(*palette, text->ink, text->opacity)) >= 4.5);
        }
    }

    void predictionIsAPalerStripAboveTheSpans()
    {
        const RunPlan plan = tests::smallPlan(1, 1, 2, 4);
        Lanes lanes(plan.layout);
        lanes.append(tests::playRun(plan, 1, {}).all.spans);
        TimelineView view = viewOf(lanes, {}, lanes.begin(), lanes.end());
        const double without = timelineHeight(lanes, view);
        view.predicted = std::make_shared<const Lanes>(lanes);
        QVERIFY(timelineHeight(lanes, view) > without);
        double measured = 0;
        double predicted = 0;
        for (const DisplayItem& item : drawTimeline(lanes, view).items) {
            const auto* rect = std::get_if<FillRect>(&item);
            if (!rect || rect->ink != Ink::Forward)
                continue;
            if (rect->height == view.predictedHeight) {
                QVERIFY(rect->opacity < 1);
                predicted += rect->width;
            } else if (rect->height == view.computeHeight) {
                measured += rect->width;
            }
        }
        QVERIFY(measured > 100);
        QVERIFY(std::abs(measured - predicted) < 1e-6);
    }

    void labelsShortenAndKeepTheRank()
    {
        const Coordinates at{0, 1, 2};
        const auto one = [&](double width) {
            return laneLabel(at, Rank(9), "node7:1", 1, width, 11);
        };
        QCOMPARE(QString::fromStdString(one(400)[0]),
                 QStringLiteral("dp0 · pp2 · tp1 — rank 9 — node7:1"));
        QCOMPARE(QString::fromStdString(one(160)[0]), QStringLiteral("dp0 · pp2 · tp1 — rank 9"));
        QCOMPARE(QString::fromStdString(one(90)[0]), QStringLiteral("pp2·tp1 · rank 9"));
        QCOMPARE(QString::fromStdString(one(10)[0]), QStringLiteral("rank 9"));
        const auto two = laneLabel(at, Rank(9), "node7:1", 2, 140, 11);
        QCOMPARE(QString::fromStdString(two[1]), QStringLiteral("rank 9 — node7:1"));
    }
};

QTEST_APPLESS_MAIN(TestLaneArrangement)
#include "test_lane_arrangement.moc"
