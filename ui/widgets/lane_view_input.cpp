#include "ui/widgets/lane_view.h"

#include "ui/theme/fonts.h"

#include <QAccessible>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// Zoom, pan, measuring and walking from span to span: what the person does with mouse and keyboard.

namespace triaxis::ui
{
namespace
{

constexpr double zoomStep = 0.75;
constexpr double dragDistance = 3; ///< pixels; less is a click

} // namespace

void LaneView::zoomAround(double factor, double time)
{
    m_range->show(window().zoomed(factor, time));
}

void LaneView::pan(double share)
{
    m_range->moveTo(window().moved(window().span() * share));
}

void LaneView::zoomIn()
{
    zoomAround(zoomStep, (window().from + window().to) / 2);
}

void LaneView::zoomOut()
{
    zoomAround(1 / zoomStep, (window().from + window().to) / 2);
}

void LaneView::fitAll()
{
    m_range->showAll();
}

void LaneView::fitMeasured()
{
    if (measured())
        showWindow(*measured());
}

void LaneView::zoomBack()
{
    m_range->back();
}

void LaneView::zoomForward()
{
    m_range->forward();
}

void LaneView::followLatest()
{
    m_range->setFollowing(true);
}

void LaneView::setFocusedSpan(std::optional<SpanPlace> place)
{
    m_focus = place;
    setAccessibleDescription(m_focus ? describe(*m_lanes, *m_focus) : QString());
    tellFocus();
    viewport()->update();
}

/// A reader speaks the lane that has the focus now, and its new value.
void LaneView::tellFocus()
{
    if (!m_focus || !QAccessible::isActive())
        return;
    QAccessibleEvent moved(this, QAccessible::Focus);
    moved.setChild(int(m_focus->lane) * 2 + (m_focus->communication ? 1 : 0));
    QAccessible::updateAccessibility(&moved);
    QAccessibleValueChangeEvent changed(this, describe(*m_lanes, *m_focus));
    QAccessible::updateAccessibility(&changed);
}

void LaneView::stepFocus(int direction)
{
    if (!m_lanes || m_lanes->ranks().empty())
        return;
    SpanPlace place = m_focus.value_or(SpanPlace{});
    const Track& track = trackOf(*m_lanes, place);
    if (track.size() == 0)
        return;
    if (!m_focus)
        place.index = std::min(track.lowerBound(window().from), track.size() - 1);
    else if (direction > 0)
        place.index = std::min(place.index + 1, track.size() - 1);
    else
        place.index = place.index > 0 ? place.index - 1 : 0;
    setFocusedSpan(place);
    const double begin = track.begin(place.index);
    const double end = track.end(place.index);
    if (begin < window().from || end > window().to) {
        m_range->moveTo(window().moved((begin + end) / 2 - (window().from + window().to) / 2));
    }
}

void LaneView::moveFocusLane(int direction)
{
    if (!m_lanes || m_lanes->ranks().empty())
        return;
    if (!m_focus) {
        stepFocus(1);
        return;
    }
    const int tracks = int(m_lanes->ranks().size()) * 2;
    const int from = int(m_focus->lane) * 2 + (m_focus->communication ? 1 : 0);
    const double time = trackOf(*m_lanes, *m_focus).begin(m_focus->index);
    for (int to = from + direction; to >= 0 && to < tracks; to += direction) {
        SpanPlace place{std::size_t(to / 2), to % 2 == 1, 0};
        const Track& track = trackOf(*m_lanes, place);
        if (track.size() == 0)
            continue;
        place.index = std::min(track.lowerBound(time), track.size() - 1);
        setFocusedSpan(place);
        return;
    }
}

bool LaneView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const auto place = placeAt(help->pos());
        if (place)
            QToolTip::showText(help->globalPos(), describe(*m_lanes, *place), viewport(),
                               boxOf(*place).toAlignedRect().adjusted(-1, -1, 1, 1));
        else
            QToolTip::hideText();
        return true;
    }
    return QAbstractScrollArea::viewportEvent(event);
}

void LaneView::wheelEvent(QWheelEvent* event)
{
    const TimeMapping map = mapping();
    const QPoint delta = event->angleDelta();
    if (event->position().x() < map.left) {
        verticalScrollBar()->setValue(verticalScrollBar()->value() - delta.y());
    } else if (event->modifiers() & Qt::ShiftModifier ||
               std::abs(delta.x()) > std::abs(delta.y())) {
        const int along = delta.x() != 0 ? delta.x() : delta.y();
        pan(-along / 120.0 * 0.1);
    } else {
        zoomAround(std::pow(zoomStep, delta.y() / 120.0), map.time(event->position().x()));
    }
    event->accept();
}

void LaneView::mousePressEvent(QMouseEvent* event)
{
    if (!m_lanes || event->position().x() < mapping().left)
        return;
    m_dragX = event->position().x();
    m_dragTime = mapping().time(m_dragX);
    if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Measure;
    } else if (event->button() == Qt::MiddleButton) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
    }
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    const TimeMapping map = mapping();
    const double x = std::clamp(event->position().x(), map.left, map.left + map.width);
    if (m_drag == Drag::Measure && (m_dragging || std::abs(x - m_dragX) > dragDistance)) {
        const double time = map.time(x);
        m_dragging = true;
        m_range->setFollowing(false);
        m_range->select(TimeWindow{std::min(m_dragTime, time), std::max(m_dragTime, time)});
    } else if (m_drag == Drag::Pan) {
        m_range->moveTo(window().moved(m_dragTime - map.time(event->position().x())));
    }
}

void LaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::Measure && !m_dragging) {
        m_range->select(std::nullopt);
        setFocusedSpan(placeAt(event->position()));
    }
    m_drag = Drag::None;
    m_dragging = false;
    viewport()->unsetCursor();
}

void LaneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (!place)
        return;
    const Track& track = trackOf(*m_lanes, *place);
    const double length = track.end(place->index) - track.begin(place->index);
    showWindow({track.begin(place->index) - length, track.end(place->index) + length});
}

bool LaneView::zoomKey(QKeyEvent* event)
{
    // Positions of W, A, S, D on the keyboard, so that other layouts than QWERTY work as well.
    constexpr quint32 scanW = 25, scanA = 38, scanS = 39, scanD = 40;
    const quint32 scan = event->nativeScanCode();
    const int key = event->key();
    if (key == Qt::Key_W || key == Qt::Key_Plus || scan == scanW)
        zoomIn();
    else if (key == Qt::Key_S || key == Qt::Key_Minus || scan == scanS)
        zoomOut();
    else if (key == Qt::Key_A || key == Qt::Key_Left || scan == scanA)
        pan(-0.15);
    else if (key == Qt::Key_D || key == Qt::Key_Right || scan == scanD)
        pan(0.15);
    else if (key == Qt::Key_Home)
        fitAll();
    else if (key == Qt::Key_F)
        fitMeasured();
    else if (key == Qt::Key_L)
        followLatest();
    else
        return false;
    return true;
}

bool LaneView::walkKey(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Period:
        stepFocus(1);
        return true;
    case Qt::Key_Comma:
        stepFocus(-1);
        return true;
    case Qt::Key_Down:
        moveFocusLane(1);
        return true;
    case Qt::Key_Up:
        moveFocusLane(-1);
        return true;
    case Qt::Key_Escape:
        clearMarks();
        return true;
    default:
        return false;
    }
}

void LaneView::keyPressEvent(QKeyEvent* event)
{
    const bool control = event->modifiers() & Qt::ControlModifier;
    if (control && event->key() == Qt::Key_U) {
        zoomBack();
        return;
    }
    if (control && event->key() == Qt::Key_R) {
        zoomForward();
        return;
    }
    if (!control && (walkKey(event) || zoomKey(event)))
        return;
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace triaxis::ui
