#include "ui/widgets/stage_bars.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{

StageBars::StageBars(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void StageBars::setTitle(const QString& title)
{
    m_title = title;
    setAccessibleName(title);
}

void StageBars::setValues(std::vector<double> values, double whole)
{
    m_values = std::move(values);
    m_whole = std::max(1e-9, whole);
    QStringList told;
    for (std::size_t i = 0; i < m_values.size(); ++i)
        told << tr("stage %1: %2").arg(i).arg(m_values[i]);
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    update();
}

QSize StageBars::sizeHint() const
{
    return {scaled(190), scaled(120)};
}

QSize StageBars::minimumSizeHint() const
{
    return {scaled(190), scaled(60)};
}

void StageBars::paintEvent(QPaintEvent*)
{
    if (m_values.empty())
        return;
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(theme.muted);
    const double titleHeight = scaled(20);
    painter.drawText(QRectF(0, 0, width(), titleHeight - 4), Qt::AlignLeft | Qt::AlignTop, m_title);
    const double row =
        std::clamp((height() - titleHeight) / double(m_values.size()), 3.0, double(scaled(24)));
    // As many names as there is room for.
    const double line = painter.fontMetrics().height() - 2;
    const auto every = std::size_t(std::max(1.0, std::ceil(line / row)));
    const double left = std::max<double>(
        scaled(52),
        QFontMetricsF(fontOf(FontRole::Small))
                .horizontalAdvance(
                    tr("stage %1").arg(std::max<qsizetype>(0, qsizetype(m_values.size()) - 1))) +
            scaled(8));
    const double right = width() - scaled(30.0);
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        const double top = titleHeight + double(i) * row;
        const double bar = std::clamp(row - 8, 2.0, double(scaled(12)));
        const QRectF track(left, top + (row - bar) / 2, right - left, bar);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.track);
        painter.drawRoundedRect(track, 3, 3);
        painter.setBrush(theme.stage(int(i)));
        const double share = m_values[i] / m_whole;
        painter.drawRoundedRect(QRectF(track.left(), track.top(),
                                       std::max(3.0, track.width() * std::min(1.0, share)), bar),
                                3, 3);
        if (i % every != 0)
            continue;
        const QRectF name(0, top + (row - line) / 2, left, line);
        painter.setPen(theme.muted);
        painter.drawText(name, Qt::AlignLeft | Qt::AlignVCenter, tr("stage %1").arg(i));
        painter.setPen(theme.text);
        painter.drawText(QRectF(right, name.top(), width() - right, line),
                         Qt::AlignRight | Qt::AlignVCenter, QString::number(m_values[i], 'g', 3));
    }
}

} // namespace triaxis::ui
