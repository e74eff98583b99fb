#include "ui/base/text.h"
#include "ui/plan/floor_view.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString nameOf(Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return QStringLiteral("data");
    case Axis::Tensor:
        return QStringLiteral("tensor");
    case Axis::Pipeline:
        break;
    }
    return QStringLiteral("pipeline");
}

} // namespace

QString FloorView::wordsFor(const FloorProposal& proposal) const
{
    if (proposal.swap)
        return QStringLiteral("swap ranks %1 and %2")
            .arg(proposal.swap->first)
            .arg(proposal.swap->second);
    const AxisSizes& sizes = proposal.sizes;
    const Axis axis = m_gesture ? m_gesture->axis : Axis::Data;
    if (m_gesture && m_gesture->kind == Gesture::Kind::Swap)
        return QStringLiteral("drop on another rank");
    QString text = QStringLiteral("%1 %2 · %3×%4×%5, %6")
                       .arg(nameOf(axis))
                       .arg(sizes.of(axis))
                       .arg(sizes.dp)
                       .arg(sizes.tp)
                       .arg(sizes.pp)
                       .arg(sizes.product());
    const int devices = m_floor.realDevices();
    if (sizes.product() <= devices)
        text += QStringLiteral(" of %1").arg(counted(devices, m_floor.model().deviceNoun));
    return text;
}

void FloorView::startGesture(Gesture gesture)
{
    gesture.id = ++m_gestures;
    gesture.base = {sizesOf(m_floor.layout()), m_floor.model().placement, std::nullopt};
    gesture.latest = gesture.base;
    if (gesture.kind == Gesture::Kind::Swap) {
        for (int rank = 0; rank < m_floor.layout().ranks(); ++rank)
            gesture.deviceOfRank.push_back(m_floor.deviceOf(Rank(rank)));
    }
    gesture.geometry = m_geometry;
    gesture.zoom = m_zoom;
    gesture.origin = origin();
    m_gesture = std::move(gesture);
}

void FloorView::beginStretch(Gesture::Kind kind, Axis axis, int device, const QPointF& at)
{
    Gesture gesture;
    gesture.kind = kind;
    gesture.axis = axis;
    gesture.first = gesture.last = device;
    gesture.press = gesture.at = at;
    startGesture(std::move(gesture));
}

void FloorView::beginSwap(int device, const QPointF& at)
{
    if (!m_floor.rankAt(device))
        return;
    Gesture gesture;
    gesture.kind = Gesture::Kind::Swap;
    gesture.first = gesture.last = device;
    gesture.press = gesture.at = at;
    startGesture(std::move(gesture));
}

void FloorView::dragTo(const QPointF& position)
{
    Gesture& gesture = *m_gesture;
    gesture.at = position;
    if ((position - gesture.press).manhattanLength() >= QApplication::startDragDistance() / 2.0)
        gesture.moved = true;
    if (!gesture.moved)
        return;
    viewport()->update();
    gesture.last = gesture.geometry.deviceNear((position - gesture.origin) / gesture.zoom);
    FloorProposal proposal = gesture.base;
    if (gesture.kind != Gesture::Kind::Swap) {
        const int wish = draggedSize(gesture.base.sizes, gesture.axis, gesture.first, gesture.last);
        proposal.sizes = stretched(gesture.base.sizes, gesture.axis, wish, limits());
        if (proposal.sizes != gesture.base.sizes)
            proposal.placement.clear();
        propose(proposal);
        return;
    }
    const auto rankAtStart = [&](int device) {
        const auto place =
            std::find(gesture.deviceOfRank.begin(), gesture.deviceOfRank.end(), device);
        return place == gesture.deviceOfRank.end() ? -1 : int(place - gesture.deviceOfRank.begin());
    };
    gesture.last = std::min(gesture.last, m_floor.devices() - 1);
    const int first = rankAtStart(gesture.first);
    const int second = rankAtStart(gesture.last);
    if (second >= 0 && second != first) {
        proposal.swap = FloorProposal::Swap{first, second};
        proposal.placement = swappedPlacement(gesture.base.placement,
                                              int(gesture.base.sizes.product()), first, second);
    } else {
        gesture.last = gesture.first;
    }
    propose(proposal);
}

void FloorView::propose(const FloorProposal& proposal)
{
    if (proposal == m_gesture->latest)
        return;
    m_gesture->latest = proposal;
    m_gesture->emitted = true;
    tell(wordsFor(proposal));
    emit proposed(proposal, m_gesture->id);
}

void FloorView::endGesture()
{
    m_gesture.reset();
    if (m_shrunk) {
        FloorModel model = std::move(*m_shrunk);
        m_shrunk.reset();
        setModel(std::move(model));
        return;
    }
    rebuild();
    refresh();
}

void FloorView::finishGesture()
{
    const Gesture gesture = *m_gesture;
    endGesture();
    if (gesture.emitted)
        emit finished(gesture.id);
}

void FloorView::cancel()
{
    if (!m_gesture)
        return;
    const Gesture gesture = *m_gesture;
    if (gesture.emitted && gesture.latest != gesture.base)
        emit proposed(gesture.base, gesture.id);
    endGesture();
    if (gesture.emitted) {
        tell(QStringLiteral("cancelled"));
        emit cancelled(gesture.id);
    }
}

void FloorView::stepAxis(Axis axis, int steps)
{
    cancel();
    Gesture gesture;
    gesture.axis = axis;
    startGesture(std::move(gesture));
    FloorProposal proposal = m_gesture->base;
    proposal.sizes = stepped(proposal.sizes, axis, steps, limits());
    if (proposal.sizes != m_gesture->base.sizes)
        proposal.placement.clear();
    propose(proposal);
    finishGesture();
}

void FloorView::swapByKey()
{
    const auto rank = m_selected ? m_floor.rankAt(*m_selected) : std::nullopt;
    if (!rank)
        return;
    if (!m_marked || *m_marked == rank->value) {
        m_marked = m_marked ? std::nullopt : std::optional(rank->value);
        tell(m_marked ? QStringLiteral("rank %1 marked to be swapped").arg(rank->value)
                      : QStringLiteral("rank %1 no longer marked").arg(rank->value));
        viewport()->update();
        return;
    }
    const int first = *m_marked;
    m_marked.reset();
    Gesture gesture;
    gesture.kind = Gesture::Kind::Swap;
    startGesture(std::move(gesture));
    FloorProposal proposal = m_gesture->base;
    proposal.swap = FloorProposal::Swap{first, rank->value};
    proposal.placement =
        swappedPlacement(proposal.placement, m_floor.layout().ranks(), first, rank->value);
    propose(proposal);
    finishGesture();
}

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
        beginStretch(Gesture::Kind::Handle, *axis, m_floor.deviceOf(Coordinates{}), at);
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
            beginStretch(Gesture::Kind::Brush, *axis,
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
    const bool isBrush = m_gesture->kind == Gesture::Kind::Brush;
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
        return QStringLiteral("%1 %2: drag to stretch").arg(nameOf(*axis)).arg(size);
    }
    const FloorSpot spot = spotAt(position);
    switch (spot.kind) {
    case FloorSpot::Kind::Device:
        return describe(spot.device);
    case FloorSpot::Kind::Fold:
        return QStringLiteral("Click to show them one by one");
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
