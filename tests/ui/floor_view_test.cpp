#include "engine/record/demo_plan.h"
#include "ui/plan/floor_view.h"

#include <QSignalSpy>
#include <QTest>

using namespace triaxis;
using namespace triaxis::ui;

class FloorViewTest : public QObject
{
    Q_OBJECT

private:
    static Layout layoutOf(int dp, int tp, int pp)
    {
        Layout layout;
        layout.dp = dp;
        layout.tp = tp;
        layout.pp = pp;
        return layout;
    }

private slots:
    void everyRankHasACellOfItsOwn_data()
    {
        QTest::addColumn<int>("dp");
        QTest::addColumn<int>("tp");
        QTest::addColumn<int>("pp");
        QTest::newRow("1x1x1") << 1 << 1 << 1;
        QTest::newRow("2x2x2") << 2 << 2 << 2;
        QTest::newRow("2x8x4") << 2 << 8 << 4;
        QTest::newRow("3x6x5") << 3 << 6 << 5;
        QTest::newRow("8x8x16") << 8 << 8 << 16;
    }

    void everyRankHasACellOfItsOwn()
    {
        QFETCH(int, dp);
        QFETCH(int, tp);
        QFETCH(int, pp);
        const Layout layout = layoutOf(dp, tp, pp);
        const FloorGeometry floor(layout, {700, 300}, 1.0);
        for (int rank = 0; rank < layout.ranks(); ++rank) {
            const Coordinates at = coordinatesOf(layout, Rank(rank));
            const QRectF cell = floor.cell(at);
            QVERIFY(floor.outline(at.data, at.pipeline).contains(cell));
            QVERIFY(floor.node().contains(cell));
            QCOMPARE(floor.cellAt(cell.center()), std::optional(at));
        }
    }

    void linksRunBetweenNeighbours()
    {
        const FloorGeometry floor(layoutOf(2, 2, 3), {700, 300}, 1.0);
        const QRectF link = floor.pipelineLink(0, 1);
        QCOMPARE(link.left(), floor.outline(0, 1).right());
        QCOMPARE(link.right(), floor.outline(0, 2).left());
        const QRectF data = floor.dataLink(0, 1);
        QCOMPARE(data.top(), floor.outline(0, 1).bottom());
        QVERIFY(data.bottom() <= floor.outline(1, 1).top());
    }

    void cellsFillTheRoomButStayReadable()
    {
        const FloorGeometry roomy(layoutOf(1, 2, 2), {1200, 500}, 1.0);
        const FloorGeometry tight(layoutOf(8, 8, 8), {300, 150}, 1.0);
        QVERIFY(roomy.cellSize().width() > tight.cellSize().width());
        QVERIFY(tight.cellSize().width() >= 30);
        QVERIFY(tight.size().width() > 300);
    }

    void hoveringAndClickingTellWhichRank()
    {
        FloorView view;
        view.resize(700, 320);
        const Layout layout = layoutOf(2, 2, 2);
        view.showLayout(layout, rankShares(demoPlan().model, layout), 2);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy spy(&view, &FloorView::shownChanged);
        QVERIFY(!view.shown().has_value());
        bool found = false;
        for (int y = 20; y < 320 && !found; y += 6) {
            for (int x = 20; x < 700 && !found; x += 12) {
                QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {x, y});
                found = view.selected().has_value();
            }
        }
        QVERIFY(found);
        QVERIFY(spy.count() > 0);
        QVERIFY(view.accessibleDescription().contains("rank"));
    }

    void arrowKeysReachEveryRank()
    {
        FloorView view;
        view.resize(700, 320);
        view.showLayout(layoutOf(2, 2, 2), {}, 2);
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selected(), std::optional(Coordinates{0, 0, 0}));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selected(), std::optional(Coordinates{0, 1, 0}));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selected(), std::optional(Coordinates{0, 0, 1}));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.selected(), std::optional(Coordinates{1, 0, 1}));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.selected(), std::optional(Coordinates{1, 0, 1}));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.selected().has_value());
    }

    void aSmallerLayoutForgetsARankThatIsGone()
    {
        FloorView view;
        view.showLayout(layoutOf(2, 2, 2), {}, 2);
        view.select(Coordinates{1, 1, 1});
        view.showLayout(layoutOf(1, 2, 2), {}, 2);
        QVERIFY(!view.selected().has_value());
    }

    void paintsThousandsOfRanks()
    {
        FloorView view;
        view.resize(900, 500);
        view.showLayout(layoutOf(64, 8, 32), {}, 2);
        QVERIFY(!view.grab().isNull());
    }
};

QTEST_MAIN(FloorViewTest)
#include "floor_view_test.moc"
