#include "tests/ui/support/gestures.h"
#include "ui/plan/floor_view.h"

#include <QtTest>

#include <QApplication>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QUndoCommand>
#include <QUndoStack>

#include <random>

using namespace triaxis;
using namespace triaxis::ui;

namespace
{

/// A floor that can be drawn on, with a way back: proposals of one gesture are one step.
class SmallDocument : public QObject
{
public:
    SmallDocument(FloorView& view, FloorModel model) : m_view(view), m_model(std::move(model))
    {
        m_view.setModel(m_model);
        QObject::connect(&view, &FloorView::proposed, this,
                         [this](const FloorProposal& proposal, int gesture) {
                             FloorModel next = m_model;
                             next.layout.dp = proposal.sizes.dp;
                             next.layout.tp = proposal.sizes.tp;
                             next.layout.pp = proposal.sizes.pp;
                             next.placement = proposal.placement;
                             undo.push(new Change(*this, next, gesture));
                         });
    }

    const FloorModel& model() const { return m_model; }
    QUndoStack undo;

private:
    class Change : public QUndoCommand
    {
    public:
        Change(SmallDocument& document, FloorModel after, int gesture)
            : m_document(document), m_before(document.m_model), m_after(std::move(after)),
              m_gesture(gesture)
        {
        }
        int id() const override { return 1; }
        void undo() override { m_document.put(m_before); }
        void redo() override { m_document.put(m_after); }
        bool mergeWith(const QUndoCommand* other) override
        {
            const auto* next = static_cast<const Change*>(other);
            if (next->m_gesture != m_gesture)
                return false;
            m_after = next->m_after;
            setObsolete(m_after == m_before);
            return true;
        }

    private:
        SmallDocument& m_document;
        FloorModel m_before;
        FloorModel m_after;
        int m_gesture;
    };

    void put(const FloorModel& model)
    {
        m_model = model;
        m_view.setModel(model);
    }

    FloorView& m_view;
    FloorModel m_model;
};

} // namespace

class FloorDrawingTest : public QObject
{
    Q_OBJECT

private:
    static FloorModel floorOf(int dp, int tp, int pp, int nodeSize, int nodes)
    {
        Layout layout;
        layout.dp = dp;
        layout.tp = tp;
        layout.pp = pp;
        layout.order = {Axis::Tensor, Axis::Pipeline, Axis::Data};
        return floorModelOf(layout, nodeSize, nodes);
    }

    static void show(FloorView& view)
    {
        view.resize(900, 480);
        view.show();
        QVERIFY(QTest::qWaitForWindowActive(&view));
        view.setFocus(Qt::MouseFocusReason);
    }

    static AxisSizes sizes(const SmallDocument& document)
    {
        return sizesOf(document.model().layout);
    }

    static QPoint centre(const FloorView& view, int device)
    {
        return view.cellOnScreen(device).center();
    }

    static void drag(FloorView& view, int from, int to)
    {
        tests::drag(view.viewport(), centre(view, from), centre(view, to));
    }

    static void press(FloorView& view, const QPoint& at)
    {
        QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at);
    }

    static void move(FloorView& view, const QPoint& at)
    {
        QMouseEvent event(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(view.viewport(), &event);
    }

private slots:
    void brushesDrawTheirAxis()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 4));
        show(view);
        QSignalSpy finished(&view, &FloorView::finished);
        view.setBrush(FloorBrush::Tensor);
        drag(view, 0, 3);
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 1}));
        view.setBrush(FloorBrush::Pipeline);
        drag(view, 0, 7);
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 2}));
        view.setBrush(FloorBrush::Data);
        drag(view, 0, 31);
        QCOMPARE(sizes(document), (AxisSizes{4, 4, 2}));
        QCOMPARE(finished.count(), 3);
        QCOMPARE(document.undo.count(), 3);
        document.undo.undo();
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 2}));
    }

    void predictionsFollowWhileDragging()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 4));
        show(view);
        QSignalSpy proposed(&view, &FloorView::proposed);
        view.setBrush(FloorBrush::Tensor);
        press(view, centre(view, 0));
        QVERIFY(view.isDrawing());
        for (const int device : {1, 3, 7, 3}) {
            move(view, centre(view, device));
            QCOMPARE(sizes(document).tp, device + 1);
        }
        QCOMPARE(proposed.count(), 4);
        for (const auto& arguments : proposed)
            QCOMPARE(arguments.at(1).toInt(), proposed.first().at(1).toInt());
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centre(view, 3));
        QCOMPARE(sizes(document).tp, 4);
        QCOMPARE(document.undo.count(), 1);
        QVERIFY(view.accessibleDescription().startsWith("tensor 4"));
    }

    void escapeRestores()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 1, 8, 4));
        show(view);
        const FloorModel before = document.model();
        QSignalSpy cancelled(&view, &FloorView::cancelled);
        for (const FloorBrush brush :
             {FloorBrush::Tensor, FloorBrush::Pipeline, FloorBrush::Data, FloorBrush::Swap}) {
            view.setBrush(brush);
            press(view, centre(view, 0));
            move(view, centre(view, 5));
            move(view, centre(view, 1));
            QTest::keyClick(&view, Qt::Key_Escape);
            QVERIFY(!view.isDrawing());
            QVERIFY(document.model() == before);
            QCOMPARE(document.undo.count(), 0);
            QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centre(view, 1));
            QVERIFY(document.model() == before);
        }
        QVERIFY(cancelled.count() >= 3);
    }

    void aClickWithABrushChangesNothing()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        show(view);
        view.setBrush(FloorBrush::Tensor);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, centre(view, 2));
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 2}));
        QCOMPARE(view.selectedDevice(), std::optional(2));
    }

    void handlesStretchTheirAxis()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 2, 8, 4));
        show(view);
        const auto stretch = [&](Axis axis, int device) {
            const QRectF handle = view.handle(axis);
            QVERIFY(!handle.isNull());
            tests::drag(view.viewport(), handle.center().toPoint(), centre(view, device));
        };
        stretch(Axis::Tensor, 3);
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 2}));
        stretch(Axis::Pipeline, 15);
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 4}));
        stretch(Axis::Data, 31);
        QCOMPARE(sizes(document), (AxisSizes{2, 4, 4}));
        stretch(Axis::Pipeline, 7);
        QCOMPARE(sizes(document), (AxisSizes{2, 4, 2}));
        QCOMPARE(document.undo.count(), 4);
    }

    void ranksAreSwappedByDragging()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        show(view);
        view.setBrush(FloorBrush::Swap);
        drag(view, 1, 6);
        QCOMPARE(view.index().deviceOf(Rank(1)), 6);
        QCOMPARE(view.index().deviceOf(Rank(6)), 1);
        QCOMPARE(document.undo.count(), 1);
        view.setBrush(FloorBrush::Select);
        const QPoint from = centre(view, 1);
        QTest::mousePress(view.viewport(), Qt::LeftButton, Qt::AltModifier, from);
        move(view, centre(view, 6));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centre(view, 6));
        QVERIFY(view.index().hasIdentityPlacement());
        drag(view, 1, 6);
        QVERIFY(view.index().hasIdentityPlacement());
    }

    void onlyTheLastTargetOfASwapCounts()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 4, 2, 8, 1));
        show(view);
        view.setBrush(FloorBrush::Swap);
        press(view, centre(view, 0));
        for (const int device : {1, 2, 3, 7})
            move(view, centre(view, device));
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centre(view, 7));
        QCOMPARE(document.model().placement, (std::vector<int>{7, 1, 2, 3, 4, 5, 6, 0}));
        QCOMPARE(document.undo.count(), 1);
    }

    void keysDrawToo()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 1, 1, 8, 2));
        show(view);
        QTest::keyClick(&view, Qt::Key_T);
        QCOMPARE(view.brush(), FloorBrush::Tensor);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(sizes(document), (AxisSizes{1, 4, 1}));
        QTest::keyClick(&view, Qt::Key_Left);
        QCOMPARE(sizes(document), (AxisSizes{1, 2, 1}));
        QTest::keyClick(&view, Qt::Key_P);
        QTest::keyClick(&view, Qt::Key_Up);
        QCOMPARE(sizes(document), (AxisSizes{1, 2, 2}));
        QTest::keyClick(&view, Qt::Key_D);
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(sizes(document), (AxisSizes{2, 2, 2}));
        QTest::keyClick(&view, Qt::Key_Minus);
        QCOMPARE(sizes(document), (AxisSizes{1, 2, 2}));
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
        show(view);
        view.setBrush(FloorBrush::Data);
        const QRect before = view.cellOnScreen(5);
        press(view, centre(view, 0));
        move(view, centre(view, 9));
        QCOMPARE(view.model().layout.dp, 2);
        QCOMPARE(view.model().nodes, 4);
        QCOMPARE(view.cellOnScreen(5), before);
        QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, centre(view, 9));
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
        show(view);
        view.setBrush(FloorBrush::Tensor);
        drag(view, 0, 1);
        QCOMPARE(sizes(document).tp, 1);
        drag(view, 0, 6);
        QCOMPARE(sizes(document).tp, 4);
        view.setBrush(FloorBrush::Pipeline);
        drag(view, 0, 15);
        QCOMPARE(sizes(document).pp, 2);
    }

    void aThousandGesturesCanBeTakenBack()
    {
        FloorView view;
        SmallDocument document(view, floorOf(1, 2, 2, 4, 4));
        show(view);
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
                drag(view, from, to);
                break;
            case 2:
                QTest::keyClick(&view, keys[std::size_t(below(6))]);
                break;
            case 3: {
                const QRectF handle = view.handle(
                    std::array{Axis::Data, Axis::Tensor, Axis::Pipeline}[std::size_t(below(3))]);
                tests::drag(view.viewport(), handle.center().toPoint(), centre(view, to));
                break;
            }
            case 4:
                press(view, centre(view, from));
                move(view, centre(view, to));
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
            QVERIFY(sizes(document).product() <= 16);
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
