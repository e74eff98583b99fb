#include "ui/widgets/lane_view.h"

#include "engine/timeline/timeline_geometry.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

// What is painted over the lanes: focus, arrows, critical path, marks, the moment, the marked
// range.

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostFlows = 60; ///< more than that hide what they lie on
constexpr double axisHeight = 24;

bool isTransfer(const Track& track, std::size_t index)
{
    return track.category(index) != Category::Wait;
}

void drawArrow(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& colour,
               double thickness)
{
    QPainterPath path(from);
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 12.0, 60.0);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter.setPen(QPen(colour, thickness, Qt::SolidLine, Qt::RoundCap));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(path);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    const double head = 3 + thickness;
    painter.drawPolygon(QPolygonF{to, to + QPointF(-head * 1.3, -head / 1.5),
                                  to + QPointF(-head * 1.3, head / 1.5)});
}

} // namespace

/// On the streams' own tracks: on the one of all communication a transfer may lie hidden behind
/// another.
std::optional<std::pair<SpanPlace, SpanPlace>> LaneView::flowOf(const SpanPlace& place) const
{
    if (!m_partners || !m_lanes)
        return std::nullopt;
    const Track& track = trackOf(*m_lanes, place);
    const InstructionId id = track.id(place.index);
    const std::int32_t step = track.step(place.index);
    const Rank rank = m_lanes->ranks()[place.lane].rank;
    const auto other = m_partners->otherEnd(rank, id);
    if (!other)
        return std::nullopt;
    const auto own = findSpan(*m_lanes, rank, step, id, true);
    const auto end = findSpan(*m_lanes, other->rank, step, other->id, true);
    if (!own || !end)
        return std::nullopt;
    return isSend(id.kind()) ? std::pair(*own, *end) : std::pair(*end, *own);
}

/// The arrows of the span that has the focus: its own transfer, or those that its compute takes in
/// and gives out.
std::vector<std::pair<SpanPlace, SpanPlace>> LaneView::focusedFlows() const
{
    std::vector<std::pair<SpanPlace, SpanPlace>> flows;
    if (!m_focus || !m_partners || !m_lanes)
        return flows;
    const auto add = [&](const std::optional<SpanPlace>& place) {
        if (!place)
            return;
        if (const auto flow = flowOf(*place))
            flows.push_back(*flow);
    };
    if (m_focus->communication) {
        add(m_focus);
        return flows;
    }
    const Track& track = trackOf(*m_lanes, *m_focus);
    const Rank rank = m_lanes->ranks()[m_focus->lane].rank;
    const InstructionId id = track.id(m_focus->index);
    for (const auto& end : {m_partners->previous(rank, id), m_partners->next(rank, id)}) {
        if (end && (isSend(end->id.kind()) || isReceive(end->id.kind())))
            add(findSpan(*m_lanes, end->rank, track.step(m_focus->index), end->id, true));
    }
    return flows;
}

std::vector<std::pair<SpanPlace, SpanPlace>> LaneView::flowsShown() const
{
    std::vector<std::pair<SpanPlace, SpanPlace>> flows = focusedFlows();
    if (!m_flowsShown || !m_lanes || !m_rows || !m_partners || !flows.empty())
        return flows;
    std::size_t looked = 0;
    for (const LaneRow& row : *m_rows) {
        if (row.kind != LaneRow::Kind::Lane)
            continue;
        const auto& streams = m_lanes->ranks()[row.lane].streams;
        for (int stream = 0; stream < int(streams.size()); ++stream) {
            const Track& track = streams[std::size_t(stream)].track;
            for (std::size_t i = track.lowerBound(window().from);
                 i < track.size() && track.begin(i) < window().to; ++i) {
                if (!isSend(track.id(i).kind()))
                    break; // nor does anything else on this stream
                if (!isTransfer(track, i))
                    continue;
                if (++looked > 4 * mostFlows)
                    return {};
                const auto flow = flowOf({row.lane, true, i, stream});
                if (!flow || flow->first.index != i) // a later piece of the same send
                    continue;
                if (flows.size() == mostFlows)
                    return {};
                flows.push_back(*flow);
            }
        }
    }
    return flows;
}

void LaneView::paintFlows(QPainter& painter)
{
    const auto flows = flowsShown();
    if (flows.empty())
        return;
    const bool focused = !focusedFlows().empty();
    QColor colour = themeOf(palette()).ink(Ink::Pipeline);
    if (!focused)
        colour.setAlphaF(0.75F);
    painter.save();
    painter.setClipRect(plotRect().adjusted(0, axisHeight * fontScale(), 0, 0));
    for (const auto& [send, receive] : flows) {
        const QRectF from = boxOf(send);
        const QRectF to = boxOf(receive);
        if (from.isNull() || to.isNull())
            continue;
        drawArrow(painter, {from.left(), from.center().y()}, {to.right(), to.center().y()}, colour,
                  focused ? 2 : 1.1);
    }
    painter.restore();
}

void LaneView::paintPath(QPainter& painter)
{
    if (m_path.empty())
        return;
    const Theme& theme = themeOf(palette());
    painter.save();
    painter.setClipRect(plotRect().adjusted(0, axisHeight * fontScale(), 0, 0));
    std::optional<QPointF> last;
    for (SpanPlace place : m_path) {
        const QRectF box = boxOf(place);
        if (box.isNull())
            continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.danger, 1.8));
        if (last)
            painter.drawLine(*last, QPointF(box.left(), box.center().y()));
        painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
        last = QPointF(box.right(), box.center().y());
    }
    painter.restore();
}

void LaneView::paintFocus(QPainter& painter)
{
    const Theme& theme = themeOf(palette());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.text, 1.6));
    if (m_focusGroup && m_rows) {
        const TimelineGeometry geometry(*m_lanes, view());
        for (std::size_t row = 0; row < geometry.rows().size(); ++row) {
            const LaneRow& shown = geometry.rows()[row];
            if (shown.kind == LaneRow::Kind::Lane || shown.group != *m_focusGroup)
                continue;
            const double top = geometry.shownTop(row) * fontScale();
            painter.drawRoundedRect(
                QRectF(1, top + 1, mapping().left - 6,
                       std::min(geometry.rowHeight(row), 34.0) * fontScale() - 2),
                3, 3);
        }
    }
    if (!m_focus)
        return;
    const QRectF box = boxOf(*m_focus);
    const QRectF plot = plotRect();
    if (box.isNull() || !box.intersects(plot))
        return;
    painter.drawRoundedRect(box.intersected(plot).adjusted(-1, -1, 1, 1), 3, 3);
}

void LaneView::paintMarks(QPainter& painter)
{
    const Theme& theme = themeOf(palette());
    const TimeMapping map = mapping();
    painter.setFont(fontOf(FontRole::Tiny));
    const double top = axisHeight * fontScale();
    for (const TimeMark& mark : m_marks) {
        const double left = map.x(mark.range.from);
        const double right = map.x(mark.range.to);
        if (right < map.left || left > map.left + map.width)
            continue;
        QColor wash = theme.warning;
        wash.setAlphaF(0.12F);
        const double from = std::max(left, map.left);
        if (right - from > 1)
            painter.fillRect(QRectF(from, top, std::min(right, map.left + map.width) - from,
                                    viewport()->height() - top),
                             wash);
        painter.fillRect(QRectF(from, top - 6, 1.5, viewport()->height() - top + 6), theme.warning);
        const QString note = painter.fontMetrics().elidedText(
            mark.note.isEmpty() ? tr("mark") : mark.note, Qt::ElideRight, 180);
        const double width = painter.fontMetrics().horizontalAdvance(note) + 10;
        QRectF flag(from, top - 15, width, 15);
        if (flag.right() > map.left + map.width)
            flag.moveRight(from);
        painter.fillRect(flag, theme.warning);
        painter.setPen(labelOn(theme.warning));
        painter.drawText(flag, Qt::AlignCenter, note);
    }
}

void LaneView::paintCursor(QPainter& painter)
{
    if (!m_range->cursor())
        return;
    const TimeMapping map = mapping();
    const double x = map.x(*m_range->cursor());
    if (x < map.left || x > map.left + map.width)
        return;
    const QColor colour = themeOf(palette()).accent;
    painter.fillRect(QRectF(x - 0.75, 0, 1.5, viewport()->height()), colour);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{QPointF(x - 5, 0), QPointF(x + 5, 0), QPointF(x, 7)});
}

void LaneView::paintMeasured(QPainter& painter)
{
    const auto marked = measured();
    if (!marked || !m_lanes)
        return;
    const Theme& theme = themeOf(palette());
    const TimeMapping map = mapping();
    const double left = std::max(map.left, map.x(marked->from));
    const double right = std::min(map.left + map.width, map.x(marked->to));
    if (right < map.left || left > map.left + map.width)
        return;
    const QRectF band(left, 0, std::max(1.0, right - left), viewport()->height());
    QColor wash = theme.accent;
    wash.setAlphaF(0.14F);
    painter.fillRect(band, wash);
    painter.fillRect(QRectF(band.left(), 0, 1, band.height()), theme.accent);
    painter.fillRect(QRectF(band.right() - 1, 0, 1, band.height()), theme.accent);

    const QString name = m_range->text();
    painter.setFont(fontOf(FontRole::Small));
    const QString whole = (name.isEmpty() ? QString() : name + QStringLiteral(": ")) +
                          toText(m_statistics, *m_lanes) + tr(" · all ranks");
    const double room = viewport()->width() - 12.0;
    // Two lines where one has no room.
    QStringList lines{whole};
    if (painter.fontMetrics().horizontalAdvance(whole) + 20 > room) {
        const qsizetype split = whole.indexOf(tr(" · sum "));
        if (split > 0)
            lines = {whole.left(split), whole.mid(split + 3)};
    }
    double width = 0;
    for (QString& line : lines) {
        line = painter.fontMetrics().elidedText(line, Qt::ElideRight, int(room - 20));
        width = std::max(width, painter.fontMetrics().horizontalAdvance(line) + 20.0);
    }
    const double lineHeight = painter.fontMetrics().height() + 2;
    const double height = lineHeight * double(lines.size()) + 8;
    const double x = std::clamp(band.center().x() - width / 2, 4.0,
                                std::max(4.0, viewport()->width() - width - 4.0));
    const QRectF pill(x, viewport()->height() - height - 6, width, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawRoundedRect(pill, 5, 5);
    painter.setPen(theme.panel);
    for (qsizetype i = 0; i < lines.size(); ++i)
        painter.drawText(
            QRectF(pill.left(), pill.top() + 4 + double(i) * lineHeight, width, lineHeight),
            Qt::AlignCenter, lines[i]);
}

} // namespace triaxis::ui
