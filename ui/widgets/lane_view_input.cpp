#include "ui/widgets/lane_view.h"

#include "engine/core/units.h"
#include "engine/timeline/lane_painter.h"
#include "engine/timeline/timeline_geometry.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"

#include <QContextMenuEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

// Zoom, pan, measuring and scrubbing: what the person does with the mouse.

namespace triaxis::ui
{
namespace
{

constexpr double zoomStep = 0.75;
constexpr double dragDistance = 3; ///< pixels; less is a click
constexpr double headerGrip = 4;   ///< pixels on both sides of the edge of the names
constexpr double axisHeight = 24;
constexpr double cursorStep = 0.01; ///< of the window

/// The span in the middle, as much room on either side.
TimeWindow around(const Lanes& lanes, const SpanPlace& place)
{
    const Track& track = trackOf(lanes, place);
    const double length = track.end(place.index) - track.begin(place.index);
    return {track.begin(place.index) - length, track.end(place.index) + length};
}

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
    else if (m_focus)
        showWindow(around(*m_lanes, *m_focus));
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

void LaneView::clearMarks()
{
    m_range->select(std::nullopt);
    m_range->setCursor(std::nullopt);
    setFocusedSpan(std::nullopt);
}

void LaneView::scrub(double seconds)
{
    m_range->setFollowing(false);
    m_range->setCursor(std::clamp(seconds, window().from, window().to));
}

void LaneView::moveCursor(int direction)
{
    if (!m_lanes)
        return;
    const double from = m_range->cursor().value_or((window().from + window().to) / 2);
    scrub(from + direction * window().span() * cursorStep);
}

TimelineHit LaneView::hitAt(const QPointF& position) const
{
    if (!m_lanes || !m_rows)
        return {};
    return hitTest(*m_lanes, view(), position.x() / fontScale(), position.y() / fontScale());
}

std::optional<SpanPlace> LaneView::placeOf(const TimelineHit& hit) const
{
    if (!hit.found)
        return std::nullopt;
    const auto lane = m_lanes->laneOf(hit.rank);
    if (!lane)
        return std::nullopt;
    return SpanPlace{*lane, hit.communication, hit.index, hit.communication ? hit.stream : -1};
}

std::optional<SpanPlace> LaneView::placeAt(const QPointF& position) const
{
    return placeOf(hitAt(position));
}

/// What a group of ranks does at a moment.
QString LaneView::groupText(const LaneRow& row, double time) const
{
    std::array<int, categoryCount> counts{};
    for (const std::size_t lane : row.lanes) {
        const Track& track = m_lanes->ranks()[lane].compute;
        const std::size_t i = track.lowerBound(time);
        const bool busy = i < track.size() && track.begin(i) <= time;
        ++counts[std::size_t(busy ? track.category(i) : Category::Idle)];
    }
    QStringList lines{spoken(groupName(row.axis, row.group)) + QStringLiteral(" · ") +
                      counted(std::int64_t(row.lanes.size()), QStringLiteral("rank"))};
    for (std::size_t c = 0; c < counts.size(); ++c) {
        if (counts[c] > 0)
            lines << QStringLiteral("%1: %2").arg(
                spoken(toText(Category(c))),
                spoken(units::percent(counts[c] / double(row.lanes.size()))));
    }
    return lines.join(QLatin1Char('\n'));
}

bool LaneView::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto show = [&](const QString& text, const QRectF& of) {
        QToolTip::showText(help->globalPos(), text, viewport(),
                           of.toAlignedRect().adjusted(-1, -1, 1, 1));
    };
    const TimelineHit hit = hitAt(help->pos());
    const bool named = help->pos().x() < mapping().left;
    if (const auto predicted = predictedAt(help->pos())) {
        show(predictedSpanText(*predicted), predictedBoxOf(*predicted));
    } else if (const auto place = placeOf(hit)) {
        show(spanText(*place), boxOf(*place));
    } else if (hit.row >= 0 && (*m_rows)[std::size_t(hit.row)].kind == LaneRow::Kind::Group) {
        QToolTip::showText(help->globalPos(), groupText((*m_rows)[std::size_t(hit.row)], hit.time),
                           viewport());
    } else if (hit.row >= 0 && named &&
               (*m_rows)[std::size_t(hit.row)].kind == LaneRow::Kind::Lane) {
        QToolTip::showText(help->globalPos(), laneText(hit), viewport());
    } else {
        QToolTip::hideText();
    }
    return true;
}

/// The name of a lane in full, and why it is flagged.
QString LaneView::laneText(const TimelineHit& hit) const
{
    const auto rank = std::size_t(hit.rank.value);
    QString name = tr("%1 — rank %2").arg(spoken(toText(hit.at))).arg(rank);
    if (m_places && rank < m_places->size() && !(*m_places)[rank].empty())
        name += QStringLiteral(" — ") + spoken((*m_places)[rank]);
    const auto flag = m_flags.find(hit.rank);
    if (flag != m_flags.end())
        name += QLatin1Char('\n') + flag->second;
    return name;
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
    if (!m_lanes)
        return;
    const TimeMapping map = mapping();
    m_dragX = event->position().x();
    m_dragTime = map.time(m_dragX);
    m_dragging = false;
    if (event->button() == Qt::MiddleButton && m_dragX >= map.left) {
        m_drag = Drag::Pan;
        viewport()->setCursor(Qt::ClosedHandCursor);
        return;
    }
    if (event->button() != Qt::LeftButton)
        return;
    if (std::abs(m_dragX - map.left) <= headerGrip) {
        m_drag = Drag::Header;
        return;
    }
    if (m_dragX < map.left) {
        const TimelineHit hit = hitAt(event->position());
        if (hit.row < 0)
            return;
        const LaneRow& row = (*m_rows)[std::size_t(hit.row)];
        if (row.kind != LaneRow::Kind::Lane) {
            setFocusedGroup(row.group);
            toggleGroup();
        } else if (const auto lane = m_lanes->laneOf(hit.rank)) {
            const Track& track = m_lanes->ranks()[*lane].compute;
            if (track.size() > 0)
                setFocusedSpan(SpanPlace{
                    *lane, false, std::min(track.lowerBound(window().from), track.size() - 1)});
        }
        return;
    }
    if (event->position().y() < axisHeight * fontScale()) {
        m_drag = Drag::Scrub;
        scrub(m_dragTime);
        return;
    }
    m_drag = Drag::Measure;
}

void LaneView::mouseMoveEvent(QMouseEvent* event)
{
    const TimeMapping map = mapping();
    const double x = std::clamp(event->position().x(), map.left, map.left + map.width);
    switch (m_drag) {
    case Drag::Measure:
        if (m_dragging || std::abs(x - m_dragX) > dragDistance) {
            const double time = map.time(x);
            m_dragging = true;
            m_range->setFollowing(false);
            m_range->select(TimeWindow{std::min(m_dragTime, time), std::max(m_dragTime, time)});
        }
        return;
    case Drag::Pan:
        m_range->moveTo(window().moved(m_dragTime - map.time(event->position().x())));
        return;
    case Drag::Scrub:
        scrub(map.time(x));
        return;
    case Drag::Header:
        setHeaderWidth(event->position().x() / fontScale());
        return;
    case Drag::None:
        viewport()->setCursor(std::abs(event->position().x() - map.left) <= headerGrip
                                  ? Qt::SplitHCursor
                                  : Qt::ArrowCursor);
        return;
    }
}

void LaneView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::Measure && !m_dragging) {
        m_range->select(std::nullopt);
        const auto predicted = predictedAt(event->position());
        setFocusedSpan(predicted ? measuredTwinOf(*predicted) : placeAt(event->position()));
    }
    m_drag = Drag::None;
    m_dragging = false;
    viewport()->unsetCursor();
}

void LaneView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const auto place = placeAt(event->position());
    if (place)
        showWindow(around(*m_lanes, *place));
}

void LaneView::contextMenuEvent(QContextMenuEvent* event)
{
    if (!m_lanes || !m_rows)
        return;
    if (event->reason() == QContextMenuEvent::Mouse) {
        const TimelineHit hit = hitAt(event->pos());
        if (const auto place = placeOf(hit)) {
            setFocusedSpan(place);
        } else if (hit.row >= 0) {
            const LaneRow& row = (*m_rows)[std::size_t(hit.row)];
            const Track& track = m_lanes->ranks()[row.lane].compute;
            if (row.kind != LaneRow::Kind::Lane)
                setFocusedGroup(row.group);
            else if (track.size() > 0)
                setFocusedSpan(SpanPlace{row.lane, false,
                                         std::min(track.lowerBound(hit.time), track.size() - 1)});
        }
    }
    QMenu menu(this);
    fillLaneMenu(menu);
    menu.exec(event->globalPos());
}

} // namespace triaxis::ui
