#include "engine/core/random.h"
#include "tests/engine/timeline/played_run.h"
#include "tests/ui/support/gestures.h"
#include "ui/theme/theme.h"
#include "ui/widgets/lane_view.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class LaneViewTest : public QObject
{
    Q_OBJECT

private:
    std::shared_ptr<Lanes> m_lanes;
    std::unique_ptr<LaneView> m_view;

    QPoint middle() const { return {500, m_view->viewport()->height() / 2}; }
    static bool near(double a, double b) { return qAbs(a - b) < 1e-9; }

private slots:
    void init()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        m_lanes = std::make_shared<Lanes>(plan.layout);
        m_lanes->append(tests::playRun(plan, 4, {}).all.spans);
        m_view = std::make_unique<LaneView>();
        m_view->resize(900, 300);
        m_view->setLanes(m_lanes);
        m_view->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_view.get()));
    }

    void beginsAtTheLatestStepAndFollowsIt()
    {
        QVERIFY(m_view->isFollowing());
        const auto [begin, end] = m_lanes->stepRange(4);
        QVERIFY(near(m_view->window().from, begin));
        QVERIFY(near(m_view->window().to, end));
    }

    void wheelZoomsAtTheCursorAndStopsFollowing()
    {
        const QPoint at = middle();
        const double time = m_view->mapping().time(at.x());
        const double before = m_view->window().span();
        tests::wheel(m_view->viewport(), at, 1);
        QVERIFY(m_view->window().span() < before);
        QVERIFY(near(m_view->mapping().time(at.x()), time));
        QVERIFY(!m_view->isFollowing());
    }

    void keysZoomPanAndFit()
    {
        const double before = m_view->window().span();
        QTest::keyClick(m_view.get(), Qt::Key_W);
        QVERIFY(m_view->window().span() < before);
        const double from = m_view->window().from;
        QTest::keyClick(m_view.get(), Qt::Key_A);
        QVERIFY(m_view->window().from < from);
        QTest::keyClick(m_view.get(), Qt::Key_Home);
        QVERIFY(near(m_view->window().from, m_lanes->begin()));
        QVERIFY(near(m_view->window().to, m_lanes->end()));
        QTest::keyClick(m_view.get(), Qt::Key_L);
        QVERIFY(m_view->isFollowing());
    }

    void dragMeasuresARange()
    {
        QSignalSpy spy(m_view.get(), &LaneView::measuredChanged);
        const TimeMapping map = m_view->mapping();
        tests::drag(m_view->viewport(), {300, 100}, {600, 120});
        QVERIFY(spy.count() > 0);
        QVERIFY(m_view->measured().has_value());
        QVERIFY(near(m_view->measured()->from, map.time(300)));
        QVERIFY(near(m_view->measured()->to, map.time(600)));
        QTest::keyClick(m_view.get(), Qt::Key_F);
        QVERIFY(near(m_view->window().from, map.time(300)));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->measured().has_value());
    }

    void zoomCanBeTakenBackAndForth()
    {
        const TimeWindow before = m_view->window();
        QTest::keyClick(m_view.get(), Qt::Key_W);
        const TimeWindow after = m_view->window();
        QTest::keyClick(m_view.get(), Qt::Key_U, Qt::ControlModifier);
        QCOMPARE(m_view->window(), before);
        QTest::keyClick(m_view.get(), Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(m_view->window(), after);
    }

    void placesOfKeysCountOnOtherKeyboards()
    {
        // The key left of X on a French keyboard stands where W does on an American one.
        const double before = m_view->window().span();
        QKeyEvent in(QEvent::KeyPress, Qt::Key_Z, Qt::NoModifier, 25, 0, 0, QStringLiteral("z"));
        QApplication::sendEvent(m_view.get(), &in);
        QVERIFY(m_view->window().span() < before);
        const double from = m_view->window().from;
        QKeyEvent earlier(QEvent::KeyPress, Qt::Key_Q, Qt::NoModifier, 38, 0, 0,
                          QStringLiteral("q"));
        QApplication::sendEvent(m_view.get(), &earlier);
        QVERIFY(m_view->window().from < from);
    }

    void shiftAndWheelPan()
    {
        QTest::keyClick(m_view.get(), Qt::Key_W);
        QTest::keyClick(m_view.get(), Qt::Key_W);
        const TimeWindow before = m_view->window();
        tests::wheel(m_view->viewport(), middle(), 1, Qt::ShiftModifier);
        QVERIFY(!near(m_view->window().from, before.from));
        QVERIFY(near(m_view->window().span(), before.span()));
    }

    void aSpanIsZoomedToAndMarked()
    {
        QTest::keyClick(m_view.get(), Qt::Key_Period);
        QTest::keyClick(m_view.get(), Qt::Key_Period);
        const SpanPlace place = *m_view->focusedSpan();
        const Track& track = trackOf(*m_lanes, place);
        const double begin = track.begin(place.index);
        const double end = track.end(place.index);
        const TimeWindow before = m_view->window();
        QTest::keyClick(m_view.get(), Qt::Key_F); // nothing is marked: the span
        QVERIFY(near(m_view->window().span(), 3 * (end - begin)) ||
                near(m_view->window().from, m_lanes->begin()));
        QVERIFY(m_view->window().from <= begin && m_view->window().to >= end);
        m_view->showWindow(before);
        QTest::mouseDClick(m_view->viewport(), Qt::LeftButton, {},
                           m_view->boxOf(place).center().toPoint());
        QVERIFY(m_view->window().span() < before.span());
        QVERIFY(m_view->window().from <= begin && m_view->window().to >= end);
        QTest::keyClick(m_view.get(), Qt::Key_R);
        QVERIFY(m_view->measured());
        QVERIFY(near(m_view->measured()->from, begin) && near(m_view->measured()->to, end));
    }

    void theMomentMovesByKeys()
    {
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(m_view->range().cursor());
        const double first = *m_view->range().cursor();
        QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY(*m_view->range().cursor() < first);
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_view->range().cursor());
    }

    void theMenuOfALaneFollowsTheFocus()
    {
        QTest::keyClick(m_view.get(), Qt::Key_Period);
        QMenu menu;
        m_view->fillLaneMenu(menu);
        QAction* only = nullptr;
        for (QAction* action : menu.actions())
            if (action->text() == QLatin1String("Show only stage 0"))
                only = action;
        QVERIFY(only);
        only->trigger();
        QCOMPARE(m_view->arrangement().only[std::size_t(Axis::Pipeline)], std::set<int>{0});
        QTest::keyClick(m_view.get(), Qt::Key_H, Qt::ShiftModifier);
        QVERIFY(m_view->arrangement().only[std::size_t(Axis::Pipeline)].empty());
    }

    void middleButtonPans()
    {
        QTest::keyClick(m_view.get(), Qt::Key_W);
        QTest::keyClick(m_view.get(), Qt::Key_W);
        const TimeWindow before = m_view->window();
        tests::drag(m_view->viewport(), {500, 100}, {560, 100}, Qt::MiddleButton);
        QVERIFY(m_view->window().from < before.from);
        QVERIFY(near(m_view->window().span(), before.span()));
    }

    void walksFromSpanToSpanAndTellsScreenReaders()
    {
        QTest::keyClick(m_view.get(), Qt::Key_Period);
        QVERIFY(m_view->focusedSpan().has_value());
        const SpanPlace first = *m_view->focusedSpan();
        QTest::keyClick(m_view.get(), Qt::Key_Period);
        QCOMPARE(m_view->focusedSpan()->index, first.index + 1);
        QVERIFY(m_view->accessibleDescription().contains("rank 0"));
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QVERIFY(m_view->focusedSpan()->communication);
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QVERIFY(!m_view->focusedSpan()->communication);
        QCOMPARE(m_view->focusedSpan()->lane, std::size_t(1));
    }

    void clickOnASpanFocusesIt()
    {
        const QRect plot = m_view->viewport()->rect().adjusted(112, 40, 0, 0);
        bool hit = false;
        for (int y = plot.top(); y < plot.bottom() && !hit; y += 4) {
            QTest::mouseClick(m_view->viewport(), Qt::LeftButton, {}, {plot.left() + 8, y});
            hit = m_view->focusedSpan().has_value();
        }
        QVERIFY(hit);
    }

    void newSpansMoveTheWindowOnlyWhileFollowing()
    {
        const RunPlan plan = tests::smallPlan(2, 1, 2, 4);
        std::vector<Span> later;
        for (Span span : tests::playRun(plan, 5, {}).all.spans) {
            if (span.step == 5)
                later.push_back(span);
        }
        QTest::keyClick(m_view.get(), Qt::Key_Home);
        const TimeWindow before = m_view->window();
        m_lanes->append(later);
        m_view->lanesGrown();
        QCOMPARE(m_view->window(), before);
        m_view->followLatest();
        QVERIFY(near(m_view->window().from, m_lanes->stepRange(5).first));
    }

    void readersFindTheLanesAndTheFocusedSpan()
    {
        QAccessibleInterface* table = QAccessible::queryAccessibleInterface(m_view.get());
        QVERIFY(table);
        QCOMPARE(table->childCount(), 8);
        QStringList names;
        for (int i = 0; i < table->childCount(); ++i) {
            QAccessibleInterface* lane = table->child(i);
            QVERIFY(lane && lane->isValid());
            QCOMPARE(lane->parent(), table);
            QCOMPARE(table->indexOfChild(lane), i);
            names << lane->text(QAccessible::Name);
        }
        QCOMPARE(names.removeDuplicates(), 0);
        QCOMPARE(names[0], QString("rank 0, data 0, pipeline 0, tensor 0: compute"));
        QVERIFY(names[1].endsWith("communication"));
        QVERIFY(table->child(0)->text(QAccessible::Value).endsWith(" spans"));
        QVERIFY(!table->focusChild());
        QVERIFY(!table->child(8) && !table->child(-1));

        QTest::keyClick(m_view.get(), Qt::Key_Period);
        QCOMPARE(table->focusChild(), table->child(0));
        QVERIFY(table->child(0)->state().selected);
        const QString first = table->child(0)->text(QAccessible::Value);
        QCOMPARE(first, describe(*m_lanes, *m_view->focusedSpan()));
        QCOMPARE(table->text(QAccessible::Value), first);
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QCOMPARE(table->focusChild(), table->child(1));
        QVERIFY(table->child(0)->text(QAccessible::Value) != first);

        const QRect row = table->child(2)->rect();
        QVERIFY(QRect(m_view->mapToGlobal(QPoint()), m_view->size()).intersects(row));
        QCOMPARE(table->childAt(row.center().x(), row.center().y()), table->child(2));
        m_view->setLanes(std::make_shared<Lanes>(Layout{}));
        QCOMPARE(table->childCount(), 2);
        QVERIFY(!table->focusChild());
    }

    /// Of the pixels themselves, with edges between pixels and all.
    void paintedIdleShareIsThatOfTheData()
    {
        auto lanes = std::make_shared<Lanes>(Layout{});
        const CounterRandom random(11, "idle");
        std::vector<Span> spans;
        double time = 0;
        for (std::uint64_t i = 0; i < 30000; ++i) {
            Span span;
            span.step = 1;
            span.id = InstructionId(Kind::Forward, Chunk(0), Microbatch(int(i % 8)));
            // A gap after each, so that no line is drawn between spans; few are long.
            span.begin = span.ready = time + 1e-4 + 1e-3 * random.uniform(3 * i);
            span.end = span.begin + 1e-3 * (random.uniform(3 * i + 1) < 0.05 ? 9 : 1) *
                                        random.uniform(3 * i + 2);
            time = span.end;
            spans.push_back(span);
        }
        lanes->append(spans);
        m_view->setLanes(lanes);
        m_view->resize(1400, 300);
        const Theme& theme = themeOf(m_view->palette());
        const QColor idle = theme.ink(Ink::Idle);
        const QColor busy = theme.ink(Ink::Forward);
        double span = time;
        for (int zoom = 0; zoom < 10; ++zoom, span /= 2.5) {
            const TimeWindow window{time * 0.37, time * 0.37 + span};
            const TimeWindow shown = zoom == 0 ? TimeWindow{0, time} : window;
            m_view->showWindow(shown);
            const QImage picture = m_view->grab().toImage();
            const TimeMapping map = m_view->mapping();
            // Below the numbers of the microbatches.
            const int y = int(m_view->laneRect(0, false).bottom()) - 3;
            double painted = 0;
            int pixels = 0;
            for (int x = int(map.left) + 2; x < int(map.left + map.width) - 2; ++x, ++pixels)
                painted += double(picture.pixelColor(x, y).red() - busy.red()) /
                           double(idle.red() - busy.red());
            const double expected =
                lanes->ranks()[0].compute.shares(
                    map.time(map.left + 2),
                    map.time(map.left + map.width - 2))[std::size_t(Category::Idle)] /
                (m_view->window().span() * double(pixels) / map.width);
            QVERIFY2(std::abs(painted / pixels - expected) < 0.01,
                     qPrintable(QString("zoom %1: %2 painted, %3 expected")
                                    .arg(zoom)
                                    .arg(painted / pixels)
                                    .arg(expected)));
        }
    }

    void paintsWithoutLanesToo()
    {
        LaneView empty;
        empty.resize(400, 200);
        QVERIFY(!empty.grab().isNull());
        QTest::keyClick(&empty, Qt::Key_W);
        QTest::keyClick(&empty, Qt::Key_Period);
        tests::wheel(empty.viewport(), {200, 100}, 1);
        tests::drag(empty.viewport(), {150, 50}, {250, 50});
        empty.setLanes(std::make_shared<Lanes>(Layout{}));
        QVERIFY(!empty.grab().isNull());
    }
};

QTEST_MAIN(LaneViewTest)
#include "lane_view_test.moc"
