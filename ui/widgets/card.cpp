#include "ui/widgets/card.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace triaxis::ui
{

void paintCard(QPainter& painter, const QRect& card, const QRect& dirty, const Theme& theme)
{
    constexpr int radius = 8;
    if (card.adjusted(radius, radius, -radius, -radius).contains(dirty)) {
        painter.fillRect(dirty, theme.panel); // a child, again and again: no curve is near
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius);
}

} // namespace triaxis::ui
