#include "ui/base/text.h"
#include "ui/plan/axis_name.h"
#include "ui/plan/floor_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace triaxis::ui
{
std::optional<Axis> FloorView::handleAt(const QPointF& position) const
{
    if (brush() == FloorBrush::Swap)
        return std::nullopt;
    for (const Axis axis : {Axis::Tensor, Axis::Pipeline, Axis::Data}) {
        const auto own = axisOf(brush());
        const QRectF box = handle(axis);
        if ((!own || *own == axis) && !box.isNull() &&
            box.adjusted(-3, -3, 3, 3).contains(position))
            return axis;
    }
    return std::nullopt;
}

void FloorView::mousePressEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceHeld)) {
        m_panning = true;
        m_panFrom = at;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    cancel();
    if (const auto axis = handleAt(at)) {
        beginStretch(FloorProposal::By::Handle, *axis, m_floor.deviceOf(Coordinates{}), at);
        return;
    }
    const FloorSpot spot = spotAt(at);
    if (spot.kind == FloorSpot::Kind::Fold) {
        m_foldingChosen = true;
        m_folding.unfolded.insert(m_floor.alike()[std::size_t(m_floor.classOf(spot.node))].first);
        rebuild();
        refresh();
        return;
    }
    const bool swaps = brush() == FloorBrush::Swap ||
                       (brush() == FloorBrush::Select && event->modifiers() & Qt::AltModifier);
    if (const auto axis = axisOf(brush())) {
        const bool onFloor = spot.kind != FloorSpot::Kind::Nothing;
        if (onFloor)
            beginStretch(FloorProposal::By::Brush, *axis,
                         m_geometry.deviceNear((at - origin()) / m_zoom), at);
        return;
    }
    const bool onDevice = spot.kind == FloorSpot::Kind::Device;
    selectDevice(onDevice ? std::optional(spot.device) : std::nullopt);
    if (swaps && onDevice)
        beginSwap(spot.device, at);
}

void FloorView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    if (m_panning) {
        const QPointF step = at - m_panFrom;
        m_panFrom = at;
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - int(step.x()));
        verticalScrollBar()->setValue(verticalScrollBar()->value() - int(step.y()));
        return;
    }
    if (m_gesture) {
        dragTo(at);
        return;
    }
    const FloorSpot spot = spotAt(at);
    const bool onRank = spot.kind == FloorSpot::Kind::Device && m_floor.rankAt(spot.device);
    hover(onRank && brush() == FloorBrush::Select && !handleAt(at) ? std::optional(spot.device)
                                                                   : std::nullopt);
    updateCursor(at);
}

void FloorView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_panning) {
        m_panning = false;
        updateCursor(event->position());
        return;
    }
    if (!m_gesture || event->button() != Qt::LeftButton)
        return;
    dragTo(event->position());
    if (!m_gesture)
        return;
    const bool clicked = !m_gesture->moved;
    const int device = m_gesture->first;
    const bool isBrush = m_gesture->by == FloorProposal::By::Brush;
    finishGesture();
    if (clicked && isBrush)
        selectDevice(device);
}

void FloorView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && brush() == FloorBrush::Select &&
        spotAt(event->position()).kind == FloorSpot::Kind::Device)
        fitSelection();
    else
        mousePressEvent(event);
}

void FloorView::updateCursor(const QPointF& position)
{
    Qt::CursorShape shape = Qt::ArrowCursor;
    if (m_spaceHeld)
        shape = Qt::OpenHandCursor;
    else if (const auto axis = handleAt(position))
        shape = *axis == Axis::Tensor     ? Qt::SizeHorCursor
                : *axis == Axis::Pipeline ? Qt::SizeVerCursor
                                          : Qt::SizeFDiagCursor;
    else if (axisOf(brush()))
        shape = Qt::CrossCursor;
    else if (spotAt(position).kind == FloorSpot::Kind::Fold)
        shape = Qt::PointingHandCursor;
    else if (brush() == FloorBrush::Swap && spotAt(position).kind == FloorSpot::Kind::Device)
        shape = Qt::OpenHandCursor;
    viewport()->setCursor(shape);
}

QString FloorView::toolTipAt(const QPointF& position) const
{
    if (const auto axis = handleAt(position)) {
        const int size = sizesOf(m_floor.layout()).of(*axis);
        return tr("%1 %2: drag to stretch").arg(axisName(*axis)).arg(size);
    }
    const FloorSpot spot = spotAt(position);
    switch (spot.kind) {
    case FloorSpot::Kind::Device:
        return describe(spot.device);
    case FloorSpot::Kind::Fold:
        return tr("Click to show them one by one");
    case FloorSpot::Kind::Node:
    case FloorSpot::Kind::Nothing:
        break;
    }
    return {};
}

bool FloorView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::Leave)
        hover(std::nullopt);
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void FloorView::wheelEvent(QWheelEvent* event)
{
    const double notches = event->angleDelta().y() / 120.0;
    if (event->modifiers() & Qt::ShiftModifier) {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() - int(notches * 60));
    } else if (notches != 0) {
        setZoom(m_zoom * std::pow(1.2, notches), event->position());
    } else {
        horizontalScrollBar()->setValue(horizontalScrollBar()->value() -
                                        event->angleDelta().x() / 2);
    }
    event->accept();
}

bool FloorView::brushKey(QKeyEvent* event)
{
    const auto axis = axisOf(brush());
    if (!axis)
        return false;
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        stepAxis(*axis, 1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Down:
    case Qt::Key_Minus:
        stepAxis(*axis, -1);
        return true;
    default:
        return false;
    }
}

bool FloorView::viewKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoomIn();
        return true;
    case Qt::Key_Minus:
        zoomOut();
        return true;
    case Qt::Key_Space:
        m_spaceHeld = true;
        viewport()->setCursor(Qt::OpenHandCursor);
        return true;
    case Qt::Key_Left:
        moveSelection(-1, 0);
        return true;
    case Qt::Key_Right:
        moveSelection(1, 0);
        return true;
    case Qt::Key_Up:
        moveSelection(0, -1);
        return true;
    case Qt::Key_Down:
        moveSelection(0, 1);
        return true;
    default:
        return false;
    }
}

void FloorView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape) {
        if (m_gesture)
            cancel();
        else if (m_marked) {
            m_marked.reset();
            viewport()->update();
        } else if (m_selected)
            selectDevice(std::nullopt);
        else if (brush() != FloorBrush::Select)
            setBrush(FloorBrush::Select);
        else
            QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    const bool enters = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enters && event->modifiers() == Qt::NoModifier && brush() == FloorBrush::Swap) {
        swapByKey();
        return;
    }
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier) ||
        (!brushKey(event) && !viewKey(event)))
        QAbstractScrollArea::keyPressEvent(event);
}

void FloorView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat()) {
        m_spaceHeld = false;
        viewport()->unsetCursor();
        return;
    }
    QAbstractScrollArea::keyReleaseEvent(event);
}

} // namespace triaxis::ui
