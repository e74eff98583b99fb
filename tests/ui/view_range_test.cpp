#include "tests/engine/timeline/played_run.h"
#include "ui/timeline/view_range.h"
#include "ui/widgets/lane_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class ViewRangeTest : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<Lanes> m_lanes;

private slots:
    void init()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        m_lanes = std::make_shared<Lanes>(plan.layout);
        m_lanes->append(tests::playRun(plan, 4, {}).all.spans);
    }

    void beginsAtTheLatestStep()
    {
        ViewRange range;
        QVERIFY(range.text().isEmpty());
        range.setLanes(m_lanes);
        QCOMPARE(range.window().from, m_lanes->stepRange(4).first);
        QCOMPARE(range.text(), QStringLiteral("step 4"));
        QVERIFY(range.isFollowing());
    }

    void showingStopsToFollowAndCanBeTakenBack()
    {
        ViewRange range;
        range.setLanes(m_lanes);
        QSignalSpy windows(&range, &ViewRange::windowChanged);
        QSignalSpy following(&range, &ViewRange::followingChanged);
        const TimeWindow latest = range.window();
        const auto [begin, end] = m_lanes->stepRange(2);
        const double quarter = (end - begin) / 4;
        range.show({begin + quarter, end - quarter});
        QCOMPARE(windows.count(), 1);
        QCOMPARE(following.count(), 1);
        QVERIFY(range.text().startsWith(QStringLiteral("step 2, ")));
        QVERIFY(range.canGoBack() && !range.canGoForward());
        range.back();
        QCOMPARE(range.window(), latest);
        range.forward();
        QCOMPARE(range.window().from, begin + quarter);
        range.setFollowing(true);
        QCOMPARE(range.window(), latest);
    }

    void figuresAreOfTheSelectionWhereThereIsOne()
    {
        ViewRange range;
        range.setLanes(m_lanes);
        QSignalSpy spy(&range, &ViewRange::selectionChanged);
        QCOMPARE(range.effective(), range.window());
        const TimeWindow part{m_lanes->stepRange(2).first, m_lanes->stepRange(3).second};
        range.select(part);
        QCOMPARE(range.effective(), part);
        QCOMPARE(range.text(), QStringLiteral("steps 2–3"));
        range.select(TimeWindow{1, 1});
        QVERIFY(!range.selection());
        QCOMPARE(spy.count(), 2);
    }

    void anotherRunForgetsWhatWasMarked()
    {
        ViewRange range;
        range.setLanes(m_lanes);
        range.showAll();
        range.select(TimeWindow{m_lanes->begin(), m_lanes->end()});
        range.setCursor(1e9);
        QCOMPARE(*range.cursor(), m_lanes->end());
        range.setLanes(std::make_shared<Lanes>(m_lanes->layout()));
        QVERIFY(!range.selection() && !range.cursor() && !range.canGoBack());
        QVERIFY(range.isFollowing());
        range.setLanes(nullptr);
        range.show({0, 1});
        QVERIFY(range.text().isEmpty());
    }

    void timesNameBothEndsInOneUnit()
    {
        const auto plain = [](QString text) {
            return text.replace(QChar(0x202F), QLatin1Char(' '));
        };
        QCOMPARE(plain(timesText(0.0123, 0.0465)), QStringLiteral("12.3–46.5 ms"));
        QCOMPARE(plain(timesText(0.9, 1.4)), QStringLiteral("0.900–1.400 s"));
        QCOMPARE(plain(timesText(1e-6, 251e-6)), QStringLiteral("1–251 µs"));
    }

    void viewsShareOneRange()
    {
        ViewRange range;
        LaneView first;
        LaneView second;
        first.setRange(&range);
        second.setRange(&range);
        first.setLanes(m_lanes);
        second.setLanes(m_lanes);
        first.zoomIn();
        QCOMPARE(second.window(), first.window());
        QCOMPARE(range.window(), first.window());
        second.setRange(nullptr);
        QVERIFY(second.isFollowing());
        QVERIFY(!first.isFollowing());
    }
};

QTEST_MAIN(ViewRangeTest)
#include "view_range_test.moc"
