#include "engine/record/demo_plan.h"
#include "tests/ui/support/floors.h"
#include "tests/ui/support/gestures.h"
#include "ui/plan/floor_accessible.h"
#include "ui/theme/fonts.h"

#include <QtTest>

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QScrollBar>
#include <QSignalSpy>

using namespace triaxis;
using namespace triaxis::ui;
using namespace triaxis::tests;

class FloorViewTest : public QObject
{
    Q_OBJECT

private:
    static void show(FloorView& view, const FloorModel& model)
    {
        view.setModel(model);
        showFloor(view);
    }

private slots:
    void everyDeviceHasACellOfItsOwn_data()
    {
        QTest::addColumn<FloorModel>("model");
        QTest::newRow("1") << floorModelOf(layoutOf(1, 1, 1), 1);
        QTest::newRow("2x2x2 on two nodes") << floorModelOf(layoutOf(2, 2, 2), 4);
        QTest::newRow("odd nodes") << floorModelOf(layoutOf(3, 6, 5), 7);
        QTest::newRow("racks") << floorModelOf(layoutOf(40, 8, 4), 8);
        QTest::newRow("ghosts") << floorModelOf(layoutOf(4, 8, 4), 8, 3);
        FloorModel mixed = floorModelOf(layoutOf(3, 2, 1), 4, 3);
        mixed.nodeDevices = {4, 2, 1};
        QTest::newRow("mixed") << mixed;
    }

    void everyDeviceHasACellOfItsOwn()
    {
        QFETCH(FloorModel, model);
        const FloorIndex floor(model);
        const FloorGeometry geometry(floor, {}, {700, 300}, 1.0);
        const QRectF all(QPointF(), geometry.size());
        for (int device = 0; device < floor.devices(); ++device) {
            const QRectF cell = geometry.cell(device);
            const int node = floor.nodeOf(device);
            QVERIFY(geometry.slotOf(node).frame.contains(cell));
            QVERIFY(all.adjusted(-1, -1, 1, 1).contains(cell));
            const FloorSpot spot = geometry.at(cell.center());
            QCOMPARE(spot.kind, FloorSpot::Kind::Device);
            QCOMPARE(spot.device, device);
            QCOMPARE(geometry.deviceNear(cell.center()), device);
        }
        for (const FloorGeometry::Rack& rack : geometry.racks())
            for (int node = rack.firstNode; node <= rack.lastNode; ++node)
                QVERIFY(rack.frame.contains(geometry.slotOf(node).frame));
    }

    /// Cells of other sizes in between, and a folded floor with its signs, leave nothing behind.
    void aFloorThatComesBackLooksTheSame()
    {
        FloorView view;
        view.resize(700, 320);
        const FloorModel first = floorOf(4, 8, 2, 8, 8);
        view.setModel(first);
        const QImage before = view.viewport()->grab().toImage();
        for (const int nodes : {2, 16, 4, 12, 6, 200}) {
            view.setModel(floorOf(nodes, 8, 1, 8, nodes));
            view.fit();
            QVERIFY(view.viewport()->grab().toImage() != before);
        }
        view.setModel(first);
        view.fit();
        QCOMPARE(view.viewport()->grab().toImage(), before);
    }

    void equalNodesAreFoldedAndUnfolded()
    {
        const FloorIndex floor(floorModelOf(layoutOf(256, 8, 1), 8));
        FloorFolding folding{true, {}};
        const FloorGeometry folded(floor, folding, {700, 300}, 1.0);
        QCOMPARE(int(folded.slotsDrawn().size()), 1);
        QCOMPARE(folded.slotsDrawn().front().more, 255);
        QCOMPARE(folded.cell(2047), folded.cell(7));
        const QPointF line = folded.foldLine(folded.slotsDrawn().front()).center();
        QCOMPARE(folded.at(line).kind, FloorSpot::Kind::Fold);
        folding.unfolded.insert(0);
        const FloorGeometry unfolded(floor, folding, {700, 300}, 1.0);
        QCOMPARE(int(unfolded.slotsDrawn().size()), 256);
    }

    void largeFloorsFoldByThemselvesAndUnfoldByClickOrKey()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(128, 8, 16), 8));
        QVERIFY(view.isFolded());
        QCOMPARE(int(view.geometry().slotsDrawn().size()), 16);
        const auto& slot = view.geometry().slotsDrawn().front();
        const QRectF first = view.cellOnScreen(0);
        const double zoom = view.zoom();
        const QPointF corner = first.topLeft() - view.geometry().cell(0).topLeft() * zoom;
        const QPointF line = view.geometry().foldLine(slot).center() * zoom + corner;
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, line.toPoint());
        QCOMPARE(int(view.geometry().slotsDrawn().size()), 16 + 127);
        QAction* fold = view.findChild<QAction*>("floor.fold");
        fold->trigger();
        QVERIFY(!view.isFolded());
        QCOMPARE(int(view.geometry().slotsDrawn().size()), 2048);
        fold->trigger();
        QCOMPARE(int(view.geometry().slotsDrawn().size()), 16);
    }

    void cellsAreHitAtEveryZoom()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(2, 8, 4), 8));
        for (const double zoom : {0.1, 0.3, 0.77, 1.0, 2.5, 5.0}) {
            view.setZoom(zoom, {300, 200});
            for (const int device : {0, 9, 37, 63}) {
                const QPointF at = QRectF(view.cellOnScreen(device)).center();
                QCOMPARE(view.spotAt(at).device, device);
            }
        }
    }

    void zoomingKeepsWhatIsUnderTheCursor()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(4, 8, 8), 8));
        view.setZoom(1.5, {450, 240});
        const int device = view.geometry().deviceNear(
            (QPointF(400, 200) - QPointF(view.cellOnScreen(0).topLeft())) / view.zoom() +
            view.geometry().cell(0).topLeft());
        const QPoint at = centreOf(view, device);
        tests::wheel(view.viewport(), at, 2);
        QVERIFY((centreOf(view, device) - at).manhattanLength() <= 4);
        QTest::keyClick(&view, Qt::Key_Home);
        for (const int corner : {0, 255})
            QVERIFY(view.viewport()->rect().contains(view.cellOnScreen(corner)));
        const double fitted = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > fitted);
        QTest::keyClick(&view, Qt::Key_Minus);
        QCOMPARE(view.zoom(), fitted);
    }

    void middleButtonAndSpacePan()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(4, 8, 8), 8));
        view.setZoom(3, {450, 240});
        const int before = view.horizontalScrollBar()->value();
        tests::drag(view.viewport(), {400, 200}, {300, 200}, Qt::MiddleButton);
        QCOMPARE(view.horizontalScrollBar()->value(), before + 100);
        QTest::keyPress(&view, Qt::Key_Space);
        tests::drag(view.viewport(), {300, 200}, {400, 200});
        QTest::keyRelease(&view, Qt::Key_Space);
        QCOMPARE(view.horizontalScrollBar()->value(), before);
        QVERIFY(!view.selectedDevice());
    }

    void detailFollowsTheSizeOfACell()
    {
        QCOMPARE(detailOf({60, 50}, 1), FloorDetail::Labels);
        QCOMPARE(detailOf({30, 26}, 1.5), FloorDetail::Cells);
        QCOMPARE(detailOf({17, 15}, 1), FloorDetail::Cells);
        QCOMPARE(detailOf({5, 5}, 1), FloorDetail::Mosaic);
        QCOMPARE(detailOf({1, 1}, 1), FloorDetail::Shares);
    }

    void hoveringAndClickingTellWhichRank()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(2, 2, 2), 4));
        QSignalSpy spy(&view, &FloorView::shownChanged);
        QVERIFY(!view.shown().has_value());
        QTest::mouseMove(view.viewport(), centreOf(view, 3));
        QCOMPARE(view.shown(), std::optional(coordinatesOf(view.model().layout, Rank(3))));
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centreOf(view, 5));
        QCOMPARE(view.selected(), std::optional(coordinatesOf(view.model().layout, Rank(5))));
        QVERIFY(spy.count() > 1);
        QVERIFY(view.accessibleDescription().contains("rank 5"));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(!view.selected().has_value());
    }

    void arrowKeysReachEveryDevice()
    {
        FloorView view;
        show(view, floorModelOf(layoutOf(2, 2, 2), 4));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedDevice(), std::optional(0));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedDevice(), std::optional(1));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.selectedDevice(), std::optional(4));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.selectedDevice(), std::optional(6));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.selectedDevice(), std::optional(6));
        QTest::keyClick(&view, Qt::Key_Left);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(view.selectedDevice(), std::optional(1));
    }

    void aSmallerLayoutForgetsARankThatIsGone()
    {
        FloorView view;
        view.showLayout(layoutOf(2, 2, 2), rankShares(demoPlan().model, layoutOf(2, 2, 2)), 2);
        view.select(Coordinates{1, 1, 1});
        QVERIFY(view.selected().has_value());
        view.showLayout(layoutOf(1, 2, 2), {}, 2);
        QVERIFY(!view.selected().has_value());
    }

    void screenReadersHearTheFocusedCell()
    {
        FloorModel model = floorModelOf(layoutOf(2, 8, 4), 8);
        model.memoryBytes.assign(64, std::int64_t(59) << 30);
        model.capacityBytes = {std::int64_t(80) << 30};
        FloorView view;
        show(view, model);
        view.selectDevice(10);
        FloorAccessible floor(&view);
        QCOMPARE(floor.childCount(), 65);
        QAccessibleInterface* cell = floor.focusChild();
        QVERIFY(cell);
        QCOMPARE(floor.indexOfChild(cell), 10);
        QVERIFY(cell->state().selected);
        QVERIFY(cell->text(QAccessible::Name).startsWith("GPU 2 · node 1 · rank 10 · data 1"));
        QVERIFY(cell->text(QAccessible::Name).contains("of 80"));
        QCOMPARE(floor.text(QAccessible::Value), cell->text(QAccessible::Name));
        const QRect box = cell->rect();
        QCOMPARE(floor.childAt(box.center().x(), box.center().y()), cell);
        QVERIFY(floor.child(64)->object() == view.tools());
    }

    void labelsCanBeReadOnEveryColour()
    {
        for (const Theme* theme : allThemes())
            for (int stage = 0; stage < 8; ++stage) {
                const QColor fill = cellColour(*theme, stage);
                QVERIFY(contrast(labelOn(fill), fill) >= 4.5);
            }
        for (const Theme* theme : allThemes())
            for (const QColor& fill : {theme->data, theme->tensor, theme->pipeline, theme->accent})
                QVERIFY(contrast(labelOn(fill), fill) >= 4.5);
    }

    void missingDevicesAreDrawnAndLargeTextFits()
    {
        const QFont before = QApplication::font();
        for (const double scale : {1.0, 1.5}) {
            QApplication::setFont(applicationFont(scale));
            FloorView view;
            show(view, floorModelOf(layoutOf(4, 8, 4), 8, 12));
            QCOMPARE(view.index().missingDevices(), 32);
            for (const int corner : {0, 127})
                QVERIFY(view.viewport()->rect().contains(view.cellOnScreen(corner)));
            QVERIFY(!view.grab().isNull());
        }
        QApplication::setFont(before);
    }

    void paintsThousandsOfRanksAtEveryZoom()
    {
        FloorView view;
        FloorModel model = floorModelOf(layoutOf(64, 8, 32), 8);
        model.memoryBytes.assign(16384, 70);
        model.memoryBytes[5] = 90;
        model.capacityBytes = {80};
        model.notices = {{Severity::Warning, "slow link", 17, -1}};
        show(view, model);
        for (const bool folded : {true, false}) {
            view.setFolded(folded);
            for (const double zoom : {0.01, 0.05, 0.2, 0.6, 1.5}) {
                view.setZoom(zoom, {200, 200});
                QVERIFY(!view.grab().isNull());
            }
        }
        view.select(Coordinates{3, 3, 3});
        QVERIFY(!view.grab().isNull());
    }

    void everyToolIsAnActionWithANameAndAKey()
    {
        FloorView view;
        int found = 0;
        for (QAction* action : view.floorActions()) {
            if (!action)
                continue;
            ++found;
            QVERIFY(!action->objectName().isEmpty());
            QVERIFY(!action->text().isEmpty());
            QVERIFY(!action->shortcut().isEmpty());
            QVERIFY(view.actions().contains(action));
        }
        QCOMPARE(found, 10);
    }
};

QTEST_MAIN(FloorViewTest)
#include "floor_view_test.moc"
