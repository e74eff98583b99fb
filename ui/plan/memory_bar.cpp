#include "ui/plan/memory_bar.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace triaxis::ui
{

MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Memory of this rank"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MemoryBar::setParts(std::vector<Part> parts, std::int64_t whole)
{
    m_parts = std::move(parts);
    m_whole = std::max<std::int64_t>(1, whole);
    QStringList told;
    for (const Part& part : m_parts)
        told << part.name + QLatin1Char(' ') + spoken(units::bytes(part.bytes));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize MemoryBar::sizeHint() const
{
    return {scaled(200), scaled(26) + int(m_parts.size()) * scaled(18)};
}

void MemoryBar::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const QRectF track(0, 0, width(), scaled(18));
    painter.setBrush(theme.track);
    painter.drawRoundedRect(track, 3, 3);
    double x = 0;
    double y = scaled(26);
    for (const Part& part : m_parts) {
        const QColor colour = theme.memory[std::size_t(part.colour)];
        const double length = double(part.bytes) / double(m_whole) * width();
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(x, 0, std::max(1.0, length - 1), track.height()), 3, 3);
        x += length;

        const double line = scaled(18);
        painter.drawRoundedRect(QRectF(0, y + line / 2 - 4, 8, 8), 2, 2);
        painter.setFont(fontOf(FontRole::Small));
        painter.setPen(theme.muted);
        painter.drawText(QRectF(14, y, width() - 14.0, line), Qt::AlignLeft | Qt::AlignVCenter,
                         part.name);
        painter.setPen(theme.text);
        painter.drawText(QRectF(0, y, width(), line), Qt::AlignRight | Qt::AlignVCenter,
                         spoken(units::bytes(part.bytes)));
        y += line;
    }
}

} // namespace triaxis::ui
