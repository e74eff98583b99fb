#include "ui/widgets/memory_grid.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr double gap = 6;
constexpr double tallest = 58;

} // namespace

MemoryGrid::MemoryGrid(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("memoryGrid"));
    setAccessibleName(QStringLiteral("Memory of every rank"));
}

void MemoryGrid::setCells(std::vector<Cell> cells)
{
    if (cells == m_cells)
        return;
    m_cells = std::move(cells);
    QStringList spoken;
    for (const Cell& cell : m_cells)
        spoken << QStringLiteral("rank %1 %2").arg(cell.rank).arg(toQString(units::bytes(cell.bytes)));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

QSize MemoryGrid::sizeHint() const
{
    return {scaled(280), scaled(110)};
}

QSize MemoryGrid::minimumSizeHint() const
{
    return {scaled(160), scaled(64)};
}

int MemoryGrid::columns() const
{
    // Cells about twice as wide as tall, and few empty places in the last row.
    const int count = std::max(1, int(m_cells.size()));
    int best = 1;
    double least = std::numeric_limits<double>::infinity();
    for (int across = 1; across <= count; ++across) {
        const int rows = (count + across - 1) / across;
        const double cellHeight = std::min<double>(double(height()) / rows, scaled(tallest));
        const double aspect = double(width()) / across / std::max(1.0, cellHeight);
        const double empty = double(rows * across - count) / count;
        const double badness = std::abs(std::log(aspect / 1.9)) + 2 * empty;
        if (badness < least) {
            least = badness;
            best = across;
        }
    }
    return best;
}

QRectF MemoryGrid::box(std::size_t index) const
{
    const int across = columns();
    const int rows = (int(m_cells.size()) + across - 1) / across;
    const double space = m_cells.size() > 64 ? 2 : gap;
    const double cellWidth = (width() - space * (across - 1)) / across;
    const double cellHeight =
        std::min<double>((height() - space * (rows - 1)) / std::max(1, rows), scaled(tallest));
    const int column = int(index) % across;
    const int row = int(index) / across;
    return {column * (cellWidth + space), row * (cellHeight + space), cellWidth, cellHeight};
}

bool MemoryGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        if (!box(i).contains(help->pos()))
            continue;
        const Cell& cell = m_cells[i];
        QToolTip::showText(help->globalPos(),
                           QStringLiteral("rank %1 · %2\n%3")
                               .arg(cell.rank)
                               .arg(cell.coordinates, cell.detail),
                           this, box(i).toRect());
        return true;
    }
    QToolTip::hideText();
    return true;
}

void MemoryGrid::paintEvent(QPaintEvent*)
{
    if (m_cells.empty())
        return;
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    std::int64_t fullest = 1;
    for (const Cell& cell : m_cells)
        fullest = std::max(fullest, cell.bytes);
    for (std::size_t i = 0; i < m_cells.size(); ++i) {
        const Cell& cell = m_cells[i];
        const QRectF area = box(i);
        const QColor colour =
            cell.bytes > 0 ? theme.heat(double(cell.bytes) / double(fullest)) : theme.track;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(area, 5, 5);
        painter.setPen(cell.bytes > 0 ? labelOn(colour) : theme.muted);
        painter.setFont(fontOf(FontRole::SmallBold));
        const double line = painter.fontMetrics().height();
        const QString title = QStringLiteral("rank %1").arg(cell.rank);
        if (area.height() < line + 2 || painter.fontMetrics().horizontalAdvance(title) > area.width())
            continue;
        if (area.height() < 2 * line + 4) {
            painter.drawText(area, Qt::AlignCenter, title);
            continue;
        }
        painter.drawText(area.adjusted(0, 0, 0, -line), Qt::AlignCenter, title);
        painter.setFont(fontOf(FontRole::Small));
        const QString value =
            cell.bytes > 0 ? toQString(units::bytes(cell.bytes)) : QStringLiteral("–");
        painter.drawText(area.adjusted(0, line, 0, 0), Qt::AlignCenter, value);
    }
}

} // namespace triaxis::ui
