#include "tests/ui/support/floors.h"

#include "tests/ui/support/gestures.h"

#include <QtTest>

#include <QApplication>
#include <QMouseEvent>
#include <QUndoCommand>

namespace triaxis::tests
{

using namespace triaxis::ui;

Layout layoutOf(int dp, int tp, int pp)
{
    Layout layout;
    layout.dp = dp;
    layout.tp = tp;
    layout.pp = pp;
    return layout;
}

FloorModel floorOf(int dp, int tp, int pp, int nodeSize, int nodes)
{
    Layout layout = layoutOf(dp, tp, pp);
    layout.order = {Axis::Tensor, Axis::Pipeline, Axis::Data};
    return floorModelOf(layout, nodeSize, nodes);
}

void showFloor(FloorView& view)
{
    view.resize(900, 480);
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    view.setFocus(Qt::MouseFocusReason);
}

QPoint centreOf(const FloorView& view, int device)
{
    return view.cellOnScreen(device).center();
}

void dragCells(FloorView& view, int from, int to)
{
    drag(view.viewport(), centreOf(view, from), centreOf(view, to));
}

void pressFloor(FloorView& view, const QPoint& at)
{
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, at);
}

void moveOverFloor(FloorView& view, const QPoint& at)
{
    QMouseEvent event(QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton,
                      Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(view.viewport(), &event);
}

class SmallDocument::Change : public QUndoCommand
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

SmallDocument::SmallDocument(FloorView& view, FloorModel model)
    : m_view(view), m_model(std::move(model))
{
    m_view.setModel(m_model);
    connect(&view, &FloorView::proposed, this, [this](const FloorProposal& proposal, int gesture) {
        FloorModel next = m_model;
        next.layout.dp = proposal.sizes.dp;
        next.layout.tp = proposal.sizes.tp;
        next.layout.pp = proposal.sizes.pp;
        next.placement = proposal.placement;
        undo.push(new Change(*this, next, gesture));
    });
}

void SmallDocument::put(const FloorModel& model)
{
    m_model = model;
    m_view.setModel(model);
}

} // namespace triaxis::tests
