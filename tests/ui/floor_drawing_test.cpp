#include "tests/ui/support/floors.h"
#include "tests/ui/support/gestures.h"

#include <QtTest>

#include <QSignalSpy>

#include <algorithm>
#include <random>
#include <variant>

using namespace triaxis;
using namespace triaxis::ui;
using namespace triaxis::tests;

class FloorDrawingTest : public QObject
{
    Q_OBJECT

private slots:
    void brushesDrawTheirAxis()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 4));
        showFloor(view);
        QSignalSpy finished(&view, &FloorView::finished);
        view.setBrush(FloorBrush::Tensor);
        dragCells(view, 0, 3);
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 1}));
        view.setBrush(FloorBrush::Pipeline);
        dragCells(view, 0, 7);
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 2}));
        view.setBrush(FloorBrush::Data);
        dragCells(view, 0, 31);
        QCOMPARE(document.sizes(), (AxisSizes{4, 4, 2}));
        QCOMPARE(finished.count(), 3);
        QCOMPARE(document.undo.count(), 3);
        document.undo.undo();
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 2}));
    }

    void predictionsFollowWhileDragging()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 4));
        showFloor(view);
        QSignalSpy proposed(&view, &FloorView::proposed);
        view.setBrush(FloorBrush::Tensor);
        pressFloor(view, centreOf(view, 0));
        QVERIFY(view.isDrawing());
        for (const int device : {1, 3, 7, 3}) {
            moveOverFloor(view, centreOf(view, device));
            QCOMPARE(document.sizes().tp, device + 1);
        }
        QCOMPARE(proposed.count(), 4);
        for (const auto& arguments : proposed)
            QCOMPARE(arguments.at(1).toInt(), proposed.first().at(1).toInt());
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centreOf(view, 3));
        QCOMPARE(document.sizes().tp, 4);
        QCOMPARE(document.undo.count(), 1);
        QVERIFY(view.accessibleDescription().startsWith("tensor 4"));
    }

    void escapeRestores()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 1, 8, 4));
        showFloor(view);
        const FloorModel before = document.model();
        QSignalSpy cancelled(&view, &FloorView::cancelled);
        for (const FloorBrush brush :
             {FloorBrush::Tensor, FloorBrush::Pipeline, FloorBrush::Data, FloorBrush::Swap}) {
            view.setBrush(brush);
            pressFloor(view, centreOf(view, 0));
            moveOverFloor(view, centreOf(view, 5));
            moveOverFloor(view, centreOf(view, 1));
            QTest::keyClick(&view, Qt::Key_Escape);
            QVERIFY(!view.isDrawing());
            QVERIFY(document.model() == before);
            QCOMPARE(document.undo.count(), 0);
            QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centreOf(view, 1));
            QVERIFY(document.model() == before);
        }
        QVERIFY(cancelled.count() >= 3);
    }

    void aClickWithABrushChangesNothing()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        showFloor(view);
        view.setBrush(FloorBrush::Tensor);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centreOf(view, 2));
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 2}));
        QCOMPARE(view.selectedDevice(), std::optional(2));
    }

    void handlesStretchTheirAxis()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 2, 8, 4));
        showFloor(view);
        const auto stretch = [&](Axis axis, int device) {
            const QRectF handle = view.handle(axis);
            QVERIFY(!handle.isNull());
            tests::drag(view.viewport(), handle.center().toPoint(), centreOf(view, device));
        };
        stretch(Axis::Tensor, 3);
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 2}));
        stretch(Axis::Pipeline, 15);
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 4}));
        stretch(Axis::Data, 31);
        QCOMPARE(document.sizes(), (AxisSizes{2, 4, 4}));
        stretch(Axis::Pipeline, 7);
        QCOMPARE(document.sizes(), (AxisSizes{2, 4, 2}));
        QCOMPARE(document.undo.count(), 4);
    }

    void ranksAreSwappedByDragging()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        showFloor(view);
        view.setBrush(FloorBrush::Swap);
        dragCells(view, 1, 6);
        QCOMPARE(view.index().deviceOf(Rank(1)), 6);
        QCOMPARE(view.index().deviceOf(Rank(6)), 1);
        QCOMPARE(document.undo.count(), 1);
        view.setBrush(FloorBrush::Select);
        const QPoint from = centreOf(view, 1);
        QTest::mousePress(view.viewport(), Qt::LeftButton, Qt::AltModifier, from);
        moveOverFloor(view, centreOf(view, 6));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centreOf(view, 6));
        QVERIFY(view.index().hasIdentityPlacement());
        dragCells(view, 1, 6);
        QVERIFY(view.index().hasIdentityPlacement());
    }

    void aRankIsMovedToAFreeDevice()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 1, 8, 1));
        showFloor(view);
        view.setBrush(FloorBrush::Swap);
        dragCells(view, 1, 6);
        QCOMPARE(document.model().placement, (std::vector<int>{0, 6, 2, 3}));
        QVERIFY(!view.index().rankAt(1));
        QCOMPARE(document.undo.count(), 1);
        dragCells(view, 5, 0); // nothing to be moved from there
        QCOMPARE(document.undo.count(), 1);
        view.selectDevice(6);
        QTest::keyClick(&view, Qt::Key_Return);
        view.selectDevice(1);
        QTest::keyClick(&view, Qt::Key_Return);
        QVERIFY(view.index().hasIdentityPlacement());
    }

    void onlyTheLastTargetOfASwapCounts()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        showFloor(view);
        view.setBrush(FloorBrush::Swap);
        pressFloor(view, centreOf(view, 0));
        for (const int device : {1, 2, 3, 7})
            moveOverFloor(view, centreOf(view, device));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centreOf(view, 7));
        QCOMPARE(document.model().placement, (std::vector<int>{7, 1, 2, 3, 4, 5, 6, 0}));
        QCOMPARE(document.undo.count(), 1);
    }

    void keysDrawToo()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 2));
        showFloor(view);
        QTest::keyClick(&view, Qt::Key_T);
        QCOMPARE(view.brush(), FloorBrush::Tensor);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(document.sizes(), (AxisSizes{1, 4, 1}));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(document.sizes(), (AxisSizes{1, 2, 1}));
        QTest::keyClick(&view, Qt::Key_P);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(document.sizes(), (AxisSizes{1, 2, 2}));
        QTest::keyClick(&view, Qt::Key_D);
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(document.sizes(), (AxisSizes{2, 2, 2}));
        QTest::keyClick(&view, Qt::Key_Minus);
        QCOMPARE(document.sizes(), (AxisSizes{1, 2, 2}));
        QCOMPARE(document.undo.count(), 6);
        QTest::keyClick(&view, Qt::Key_X);
        view.selectDevice(0);
        QTest::keyClick(&view, Qt::Key_Return);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(document.model().placement, (std::vector<int>{2, 1, 0, 3}));
        QTest::keyClick(&view, Qt::Key_V);
        QCOMPARE(view.brush(), FloorBrush::Select);
    }

    void aClusterThatFollowsTheRanksStaysPutWhileDrawn()
    {
        FloorView view;
        view.setLimits({64, {}, {}, {}});
        view.setModel(floorOf(4, 8, 1, 8, 4));
        connect(&view, &FloorView::proposed, &view, [&view](const FloorProposal& proposal, int) {
            const AxisSizes& sizes = proposal.sizes;
            view.setModel(floorOf(sizes.dp, sizes.tp, sizes.pp, 8,
                                  int(std::max<std::int64_t>(1, sizes.product() / 8))));
        });
        showFloor(view);
        view.setBrush(FloorBrush::Data);
        const QRect before = view.cellOnScreen(5);
        pressFloor(view, centreOf(view, 0));
        moveOverFloor(view, centreOf(view, 9));
        QCOMPARE(view.model().layout.dp, 2);
        QCOMPARE(view.model().nodes, 4);
        QCOMPARE(view.cellOnScreen(5), before);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centreOf(view, 9));
        QCOMPARE(view.model().nodes, 2);
        QCOMPARE(view.model().layout.dp, 2);
        // And it may grow past what there is now.
        QTest::keyClick(&view, Qt::Key_Plus);
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(view.model().nodes, 8);
    }

    void limitsOfTheModelHold()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 2));
        view.setLimits({16, {1, 3, 4, 12}, {1, 2}, {}});
        showFloor(view);
        view.setBrush(FloorBrush::Tensor);
        dragCells(view, 0, 1);
        QCOMPARE(document.sizes().tp, 1);
        dragCells(view, 0, 6);
        QCOMPARE(document.sizes().tp, 4);
        view.setBrush(FloorBrush::Pipeline);
        dragCells(view, 0, 15);
        QCOMPARE(document.sizes().pp, 2);
    }

    void thePictureForFilesShowsWhatIsSeen()
    {
        FloorView view;
        const SmallDocument document(view, floorOf(2, 2, 2, 4, 4));
        showFloor(view);
        // Cells of ranks that are drawn where they stand on the screen.
        const auto drawn = [&view] {
            int cells = 0;
            for (const DisplayItem& item : view.picture().items)
                if (const auto* box = std::get_if<FillRect>(&item); box && box->opacity < 1)
                    for (int device = 0; device < 8; ++device)
                        cells += QRectF(view.cellOnScreen(device)) ==
                                 QRectF(box->x, box->y, box->width, box->height);
            return cells;
        };
        QCOMPARE(drawn(), 8);
        const DisplayList whole = view.picture();
        QCOMPARE(QSize(int(whole.width), int(whole.height)), view.viewport()->size());
        const auto names = [](const DisplayList& list, const std::string& name) {
            return std::count_if(list.items.begin(), list.items.end(), [&](const auto& item) {
                const auto* text = std::get_if<DrawText>(&item);
                return text && text->text == name;
            });
        };
        QCOMPARE(names(whole, "1·0·1"), 1);
        for (int i = 0; i < 6; ++i)
            view.zoomIn();
        QVERIFY2(drawn() < 8 && drawn() > 0, qPrintable(QString::number(drawn())));
    }

    void aThousandGesturesCanBeTakenBack()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 2, 4, 4));
        showFloor(view);
        const FloorModel first = document.model();
        std::mt19937 random(11);
        const auto below = [&](int limit) { return int(random() % unsigned(limit)); };
        const std::array<Qt::Key, 6> keys{Qt::Key_Plus, Qt::Key_Minus,  Qt::Key_Right,
                                          Qt::Key_Left, Qt::Key_Return, Qt::Key_Down};
        int changed = 0;
        for (int i = 0; i < 1000; ++i) {
            const FloorModel before = document.model();
            view.setBrush(floorBrushes[std::size_t(below(5))]);
            const int from = below(view.index().devices());
            const int to = below(view.index().devices());
            switch (below(7)) {
            case 0:
            case 1:
                dragCells(view, from, to);
                break;
            case 2:
                QTest::keyClick(&view, keys[std::size_t(below(6))]);
                break;
            case 3: {
                const QRectF handle = view.handle(
                    std::array{Axis::Data, Axis::Tensor, Axis::Pipeline}[std::size_t(below(3))]);
                tests::drag(view.viewport(), handle.center().toPoint(), centreOf(view, to));
                break;
            }
            case 4:
                pressFloor(view, centreOf(view, from));
                moveOverFloor(view, centreOf(view, to));
                QTest::keyClick(&view, Qt::Key_Escape);
                QVERIFY(document.model() == before);
                break;
            case 5:
                document.undo.undo();
                break;
            case 6:
                document.undo.redo();
                break;
            }
            QVERIFY(document.sizes().product() <= 16);
            QVERIFY(!view.isDrawing());
            changed += !(document.model() == before);
        }
        QVERIFY(changed > 100);
        while (document.undo.canUndo())
            document.undo.undo();
        QVERIFY(document.model() == first);
        QVERIFY(view.model() == first);
    }
};

QTEST_MAIN(FloorDrawingTest)
#include "floor_drawing_test.moc"
