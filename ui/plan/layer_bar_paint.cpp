#include "ui/base/text.h"
#include "ui/plan/layer_bar.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr double gap = 4;        ///< between segments, with the divider in its middle
constexpr double costHeight = 4; ///< of each of the two bars below a stage
constexpr double costRoom = 14;

} // namespace

int LayerBar::leastSegment()
{
    return scaled(24);
}

QSize LayerBar::sizeHint() const
{
    return {scaled(300), scaled(26) + int(costRoom)};
}

QSize LayerBar::minimumSizeHint() const
{
    return {m_count * leastSegment(), sizeHint().height()};
}

QRectF LayerBar::box(int segment) const
{
    const double left = segment == 0 ? 0 : leftOf(segment) + gap / 2;
    const double right = segment + 1 == m_count ? width() : leftOf(segment + 1) - gap / 2;
    return {left, 2, std::max(1.0, right - left), height() - 4.0 - costRoom};
}

QString LayerBar::textOf(int segment, double width) const
{
    const QFontMetrics metrics(fontOf(FontRole::SmallBold));
    const int layers = layersAt(segment);
    const int all = m_sums ? m_count : int(m_layers.size());
    QString extra;
    if (m_first + segment == 0)
        extra += tr(" + embedding");
    if (m_first + segment + 1 == all)
        extra += tr(" + head");
    const QString plain = counted(layers, QStringLiteral("layer"));
    const QString number = QString::number(layers);
    for (const QString& text : {plain + extra, number + extra, plain, number})
        if (metrics.horizontalAdvance(text) + 8 <= width)
            return text;
    return number;
}

void LayerBar::paintEvent(QPaintEvent*)
{
    if (m_count == 0)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(FontRole::SmallBold));
    for (int i = 0; i < m_count; ++i) {
        paintSegment(painter, i);
        paintCosts(painter, i);
    }
    if (!m_sums)
        paintDividers(painter);
}

void LayerBar::paintSegment(QPainter& painter, int segment) const
{
    const Theme& theme = themeOf(palette());
    const QRectF area = box(segment);
    QColor fill = theme.stage(stageAt(segment));
    if (isNeighbour(segment))
        fill = mixed(theme.panel, fill, 0.35);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.drawRoundedRect(area, 4, 4);
    painter.setPen(labelOn(fill));
    painter.drawText(area, Qt::AlignCenter, textOf(segment, area.width()));
}

void LayerBar::paintDividers(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setPen(Qt::NoPen);
    for (int i = 0; i + 1 < m_count; ++i) {
        const bool marked = i == m_dragged || (hasFocus() && i == m_divider);
        painter.setBrush(marked ? theme.accent : theme.muted);
        painter.drawRoundedRect(QRectF(dividerX(i) - 2, 0, 4, height() - costRoom), 2, 2);
    }
}

void LayerBar::paintCosts(QPainter& painter, int segment) const
{
    const Theme& theme = themeOf(palette());
    const QRectF above = box(segment);
    const auto bar = [&](double top, double share, const QColor& colour) {
        const QRectF track(above.left(), top, above.width(), costHeight);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.track);
        painter.drawRoundedRect(track, 2, 2);
        painter.setBrush(colour);
        painter.drawRoundedRect(
            QRectF(track.left(), top, track.width() * std::clamp(share, 0.0, 1.0), costHeight), 2,
            2);
    };
    const int stage = stageAt(segment);
    const int time = m_sums ? stage : m_first + segment;
    const double top = above.bottom() + 3;
    if (time < int(m_times.size()))
        bar(top, m_times[std::size_t(time)].share, theme.accent);
    if (stage < int(m_memory.size())) {
        const double share = m_memory[std::size_t(stage)].share;
        bar(top + costHeight + 2, share, share > 1 ? theme.danger : theme.heat(share));
    }
}

} // namespace triaxis::ui
