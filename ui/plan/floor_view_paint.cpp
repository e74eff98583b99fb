#include "ui/base/text.h"
#include "ui/plan/floor_view.h"
#include "ui/theme/fonts.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

QColor colourOf(const Theme& theme, Axis axis)
{
    switch (axis) {
    case Axis::Data:
        return theme.data;
    case Axis::Tensor:
        return theme.tensor;
    case Axis::Pipeline:
        break;
    }
    return theme.pipeline;
}

} // namespace

void FloorView::paintEvent(QPaintEvent*)
{
    const FloorScene floor = scene();
    const double ratio = devicePixelRatioF();
    const QSize pixels = viewport()->size() * ratio;
    if (m_stale || m_picture.size() != pixels) {
        if (m_picture.size() != pixels)
            m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(floor.theme.panel);
        QPainter painter(&m_picture);
        paintFloor(painter, floor);
        m_stale = false;
    }
    QPainter painter(viewport());
    painter.drawPixmap(0, 0, m_picture);
    const auto lit = m_hovered ? m_hovered : m_selected;
    if (lit && !m_gesture && brush() == FloorBrush::Select)
        paintLit(painter, floor, *lit);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocus(painter, floor);
    if (m_gesture && m_gesture->moved)
        paintGesture(painter, floor);
    paintHandles(painter);
    paintFoot(painter);
}

void FloorView::paintFocus(QPainter& painter, const FloorScene& scene) const
{
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](int device, const QColor& colour, double width) {
        const double round = std::clamp(scene.cellPixels().width() / 9.0, 1.0, 8.0);
        painter.setPen(QPen(colour, width));
        painter.drawRoundedRect(QRectF(scene.cell(device)).adjusted(-1, -1, 1, 1), round, round);
    };
    if (m_marked && *m_marked < m_floor.layout().ranks())
        ring(m_floor.deviceOf(Rank(*m_marked)), scene.theme.accent, 3);
    if (m_selected)
        ring(*m_selected, scene.theme.text, 2);
    else if (hasFocus() && !m_gesture) {
        painter.setPen(QPen(scene.theme.accent, 1));
        painter.drawRoundedRect(QRectF(viewport()->rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    }
}

void FloorView::paintGesture(QPainter& painter, const FloorScene& scene) const
{
    const Gesture& gesture = *m_gesture;
    if (gesture.by == FloorProposal::By::Swap) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(scene.theme.accent, 2.5));
        for (const int device : {gesture.first, gesture.last})
            painter.drawRoundedRect(QRectF(scene.cell(device)).adjusted(-2, -2, 2, 2), 7, 7);
        paintLink(painter, scene.cell(gesture.first), scene.cell(gesture.last), scene.theme.accent,
                  2.5);
    } else {
        const QColor colour = colourOf(scene.theme, gesture.axis);
        const int unit = std::max(1, devicesOfAStep(gesture.latest.sizes, gesture.axis));
        const int size = gesture.latest.sizes.of(gesture.axis);
        const int begin =
            gesture.axis == Axis::Tensor ? gesture.first : gesture.first / unit * unit;
        const bool back = gesture.last < begin;
        const int from = back ? begin + unit - size * unit : begin;
        QColor veil = colour;
        veil.setAlphaF(0.22F);
        painter.setBrush(veil);
        painter.setPen(QPen(colour, 2));
        const int last = std::min(from + size * unit, m_floor.devices());
        for (int device = std::max(0, from); device < last; ++device)
            painter.drawRoundedRect(QRectF(scene.cell(device)).adjusted(-1, -1, 1, 1), 6, 6);
    }
    const QString words = wordsFor(gesture.latest);
    const QFontMetrics metrics(fontOf(FontRole::BodyBold));
    QRect box(QPoint(), QSize(metrics.horizontalAdvance(words) + 20, metrics.height() + 8));
    box.moveTopLeft(gesture.at.toPoint() + QPoint(14, 16));
    box.moveRight(std::min(box.right(), viewport()->width() - 4));
    box.moveBottom(std::min(box.bottom(), viewport()->height() - 4));
    const QColor fill = gesture.by == FloorProposal::By::Swap ? scene.theme.accent
                                                              : colourOf(scene.theme, gesture.axis);
    painter.setFont(fontOf(FontRole::BodyBold));
    paintPill(painter, box, words, fill, labelOn(fill));
}

void FloorView::paintPill(QPainter& painter, const QRect& box, const QString& text,
                          const QColor& fill, const QColor& ink) const
{
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(QRectF(box), box.height() / 2.0, box.height() / 2.0);
    painter.setPen(ink);
    painter.drawText(box, Qt::AlignCenter, text);
}

QRectF FloorView::handle(Axis axis) const
{
    const FloorScene floor = scene();
    if (floor.detail() < FloorDetail::Cells)
        return {};
    const Layout& layout = m_floor.layout();
    const auto boxOf = [&](int data, int pipeline) {
        const std::vector<int> group = m_floor.tensorGroup(data, pipeline);
        const int last = group.back();
        return m_floor.isInOneNode(group) ? outlineBox(floor, group) : outlineBox(floor, {last});
    };
    QRect box;
    QPointF at;
    switch (axis) {
    case Axis::Tensor:
        box = boxOf(0, 0);
        at = QPointF(box.right() + 1, box.center().y() + 1);
        break;
    case Axis::Pipeline:
        box = boxOf(0, layout.pp - 1);
        at = QPointF(box.center().x() + 1, box.bottom() + 1);
        break;
    case Axis::Data:
        box = boxOf(layout.dp - 1, layout.pp - 1);
        at = QPointF(box.right() - 1, box.bottom() - 1);
        break;
    }
    const double half = std::clamp(floor.cellPixels().width() / 6.0, 4.0, 7.0);
    return {at - QPointF(half, half), QSizeF(2 * half, 2 * half)};
}

void FloorView::paintHandles(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    if (brush() == FloorBrush::Swap)
        return;
    for (const Axis axis : {Axis::Data, Axis::Pipeline, Axis::Tensor}) {
        if (const auto own = axisOf(brush()); own && *own != axis)
            continue;
        const QRectF box = handle(axis);
        if (box.isNull() || !box.intersects(viewport()->rect()))
            continue;
        painter.setPen(QPen(theme.panel, 2));
        painter.setBrush(colourOf(theme, axis));
        painter.drawRoundedRect(box, box.width() * 0.3, box.width() * 0.3);
    }
}

QString FloorView::summary() const
{
    const FloorModel& model = m_floor.model();
    const int used = m_floor.layout().ranks();
    QString text = counted(m_floor.realDevices(), model.deviceNoun);
    if (model.nodes > 1)
        text += tr(" on ") + counted(model.nodes, QStringLiteral("node"));
    if (used < m_floor.realDevices())
        text += tr(" · %1 unused").arg(wholeNumber(m_floor.realDevices() - used));
    if (detail() <= FloorDetail::Mosaic)
        text += tr(" · zoom in for single ones");
    return text;
}

void FloorView::paintFoot(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    const QRect line(0, viewport()->height() - footHeight(), viewport()->width(), footHeight());
    const auto pill = [&](const QString& text, const QColor& fill, const QColor& ink) {
        const QString shown = metrics.elidedText(text, Qt::ElideRight, line.width() - 32);
        QRect box(QPoint(), QSize(metrics.horizontalAdvance(shown) + 20, metrics.height() + 5));
        box.moveCenter(line.center());
        paintPill(painter, box, shown, fill, ink);
    };
    if (const int missing = m_floor.missingDevices(); missing > 0) {
        pill(tr("%1 missing: add nodes, or draw a smaller layout")
                 .arg(counted(missing, m_floor.model().deviceNoun)),
             theme.danger, theme.onDanger);
        return;
    }
    if (!m_problem.isEmpty()) {
        pill(m_problem, theme.danger, theme.onDanger);
        return;
    }
    if (const QString hint = hintOf(brush(), m_floor.model().deviceNoun); !hint.isEmpty()) {
        pill(hint, theme.accentSoft, theme.text);
        return;
    }
    QColor back = theme.panel;
    back.setAlphaF(0.85F);
    painter.fillRect(line.adjusted(2, 0, -2, -2), back); // within the frame of the focus
    painter.setPen(theme.muted);
    painter.drawText(line, Qt::AlignCenter,
                     metrics.elidedText(summary(), Qt::ElideRight, line.width() - 16));
}

} // namespace triaxis::ui
