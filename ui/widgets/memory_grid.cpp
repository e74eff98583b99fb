#include "ui/widgets/memory_grid.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/base/language.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr double tallest = 50;
constexpr double lowestNamed = 32;
constexpr double lowestBare = 8;
constexpr std::size_t mostNamed = 64;

} // namespace

MemoryGrid::MemoryGrid(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("memoryGrid"));
    setAccessibleName(tr("Memory of every rank"));
    setFocusPolicy(Qt::StrongFocus);
    setKeySection(this, QStringLiteral("Run: figures"));
    setWidgetKeys(this,
                  {{{QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Up"), QStringLiteral("Down"), QStringLiteral("Home"), QStringLiteral("End")}, tr("Cells of memory and traffic: choose another")},
                   {{QStringLiteral("Esc")}, tr("Cells: choose none")}});
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void MemoryGrid::setCells(std::vector<Cell> cells)
{
    if (cells == m_cells)
        return;
    const bool other = cells.size() != m_cells.size();
    m_cells = std::move(cells);
    m_fullest = 0;
    for (const Cell& cell : m_cells)
        m_fullest = std::max(m_fullest, cell.bytes);
    if (m_selected >= int(m_cells.size()))
        select(-1);
    QStringList told;
    for (const Cell& cell : m_cells)
        told << titleOf(cell) + QLatin1Char(' ') + spoken(units::bytes(cell.bytes));
    setAccessibleDescription(told.join(QStringLiteral(", ")));
    if (other)
        updateGeometry();
    update();
}

void MemoryGrid::setScale(std::int64_t most)
{
    if (most == m_most)
        return;
    m_most = most;
    update();
}

void MemoryGrid::select(int index)
{
    if (index == m_selected || index >= int(m_cells.size()))
        return;
    m_selected = index;
    update();
    emit selectionChanged(index);
}

QString MemoryGrid::titleOf(const Cell& cell) const
{
    return cell.title.isEmpty() ? tr("rank %1").arg(cell.rank) : cell.title;
}

std::int64_t MemoryGrid::scale() const
{
    return std::max({std::int64_t(1), m_most, m_fullest});
}

QColor MemoryGrid::colourOf(std::size_t index) const
{
    const Theme& theme = themeOf(palette());
    const Cell& cell = m_cells[index];
    return cell.bytes > 0 ? theme.heat(double(cell.bytes) / double(scale())) : theme.track;
}

double MemoryGrid::legendHeight() const
{
    return scaled(24);
}

int MemoryGrid::heightForWidth(int width) const
{
    const auto count = std::max<std::size_t>(1, m_cells.size());
    if (count <= mostNamed) {
        const int across = std::clamp(width / scaled(78), 1, int(count));
        const int rows = (int(count) + across - 1) / across;
        return rows * scaled(rows > 4 ? lowestNamed : tallest) + int(legendHeight());
    }
    const int across = std::max(1, width / scaled(lowestBare * 1.6));
    const int rows = (int(count) + across - 1) / across;
    return std::max(rows * scaled(lowestBare), scaled(120)) + int(legendHeight());
}

QSize MemoryGrid::sizeHint() const
{
    return {scaled(280), heightForWidth(std::max(width(), scaled(200)))};
}

QSize MemoryGrid::minimumSizeHint() const
{
    return {scaled(140), heightForWidth(std::max(width(), scaled(200)))};
}

const MemoryGrid::Grid& MemoryGrid::grid() const
{
    if (m_grid.size == size() && m_grid.cells == m_cells.size())
        return m_grid;
    // Cells about twice as wide as tall, and few empty places in the last row.
    const double room = std::max(1.0, height() - legendHeight());
    const int count = std::max(1, int(m_cells.size()));
    Grid best{size(), m_cells.size()};
    best.gap = m_cells.size() > 256 ? 1 : m_cells.size() > mostNamed ? 2 : 6;
    double least = std::numeric_limits<double>::infinity();
    for (int across = 1; across <= count; ++across) {
        const int rows = (count + across - 1) / across;
        const double cellHeight =
            std::min<double>((room - best.gap * (rows - 1)) / rows, scaled(tallest));
        const double cellWidth = (width() - best.gap * (across - 1)) / across;
        const double empty = double(rows * across - count) / count;
        const double badness =
            std::abs(std::log(std::max(0.01, cellWidth) / std::max(1.0, cellHeight) / 1.9)) +
            2 * empty;
        if (badness < least) {
            least = badness;
            best.across = across;
            best.cellWidth = std::max(0.5, cellWidth);
            best.cellHeight = std::max(0.5, cellHeight);
        }
    }
    m_grid = best;
    return m_grid;
}

QRectF MemoryGrid::box(std::size_t index) const
{
    const Grid& g = grid();
    const int column = int(index) % g.across;
    const int row = int(index) / g.across;
    return {column * (g.cellWidth + g.gap), row * (g.cellHeight + g.gap), g.cellWidth, g.cellHeight};
}

int MemoryGrid::cellAt(const QPointF& at) const
{
    const Grid& g = grid();
    const int column = int(at.x() / (g.cellWidth + g.gap));
    const int row = int(at.y() / (g.cellHeight + g.gap));
    if (at.x() < 0 || at.y() < 0 || column >= g.across)
        return -1;
    const int index = row * g.across + column;
    return index < int(m_cells.size()) && box(std::size_t(index)).contains(at) ? index : -1;
}

bool MemoryGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int index = cellAt(help->pos());
    if (index < 0) {
        QToolTip::hideText();
        return true;
    }
    const Cell& cell = m_cells[std::size_t(index)];
    QString text = titleOf(cell);
    if (!cell.coordinates.isEmpty())
        text += QStringLiteral(" · ") + cell.coordinates;
    QToolTip::showText(help->globalPos(), text + QLatin1Char('\n') + cell.detail, this,
                       box(std::size_t(index)).toRect());
    return true;
}

void MemoryGrid::mousePressEvent(QMouseEvent* event)
{
    const int index = cellAt(event->position());
    if (event->button() == Qt::LeftButton && index >= 0)
        select(index == m_selected ? -1 : index);
}

void MemoryGrid::keyPressEvent(QKeyEvent* event)
{
    const int count = int(m_cells.size());
    int next = m_selected;
    switch (event->key()) {
    case Qt::Key_Left:
        next = m_selected - 1;
        break;
    case Qt::Key_Right:
        next = m_selected + 1;
        break;
    case Qt::Key_Up:
        next = m_selected - grid().across;
        break;
    case Qt::Key_Down:
        next = m_selected < 0 ? 0 : m_selected + grid().across;
        break;
    case Qt::Key_Home:
        next = 0;
        break;
    case Qt::Key_End:
        next = count - 1;
        break;
    case Qt::Key_Escape:
        if (m_selected >= 0) {
            select(-1);
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (count > 0 && next < count)
        select(std::max(0, next));
}

void MemoryGrid::paintCell(QPainter& painter, std::size_t index) const
{
    const Theme& theme = themeOf(palette());
    const Cell& cell = m_cells[index];
    const QRectF area = box(index);
    const QColor colour = colourOf(index);
    const double radius = std::min(5.0, area.height() / 5);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(area, radius, radius);
    const QColor ink = cell.bytes > 0 ? labelOn(colour) : theme.muted;
    if (cell.marked) {
        painter.setPen(QPen(theme.warning, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(area.adjusted(1, 1, -1, -1), radius, radius);
    }
    const QString value =
        cell.bytes > 0 ? spoken(units::bytes(cell.bytes)) : QString(QChar(0x2013));
    const QFontMetrics bold(fontOf(FontRole::SmallBold));
    const QFontMetrics plain(fontOf(FontRole::Small));
    const QString title = titleOf(cell);
    const double line = bold.height();
    const double room = area.width() - 4;
    painter.setPen(ink);
    const bool twoLines = area.height() >= 2 * line + 2 && bold.horizontalAdvance(title) <= room &&
                          plain.horizontalAdvance(value) <= room;
    if (twoLines) {
        painter.setFont(fontOf(FontRole::SmallBold));
        painter.drawText(area.adjusted(0, 0, 0, -line), Qt::AlignCenter, title);
        painter.setFont(fontOf(FontRole::Small));
        painter.drawText(area.adjusted(0, line, 0, 0), Qt::AlignCenter, value);
        return;
    }
    if (area.height() < line)
        return;
    const QString number = cell.title.isEmpty() ? QString::number(cell.rank) : QString();
    painter.setFont(fontOf(FontRole::Small));
    for (const QString& text : {title + QStringLiteral("  ") + value, value, number}) {
        if (plain.horizontalAdvance(text) > room)
            continue;
        painter.drawText(area, Qt::AlignCenter, text);
        return;
    }
}

void MemoryGrid::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    const double top = height() - legendHeight() + scaled(8);
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    const QString least = QStringLiteral("0");
    const QString most = spoken(units::bytes(scale()));
    const QRectF line(0, top, width(), legendHeight() - scaled(8));
    painter.setPen(theme.muted);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, least);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, most);
    const double left = metrics.horizontalAdvance(least) + scaled(8);
    const double right = width() - metrics.horizontalAdvance(most) - scaled(8);
    constexpr int shades = 40;
    for (int i = 0; i < shades; ++i) {
        const double from = left + (right - left) * i / shades;
        painter.fillRect(QRectF(from, line.center().y() - scaled(4), (right - left) / shades + 0.5,
                                scaled(8)),
                         theme.heat((i + 0.5) / shades));
    }
}

void MemoryGrid::paintEvent(QPaintEvent*)
{
    if (m_cells.empty())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_cells.size(); ++i)
        paintCell(painter, i);
    if (m_selected >= 0) {
        const Theme& theme = themeOf(palette());
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.text, hasFocus() ? 2.4 : 1.6));
        painter.drawRoundedRect(box(std::size_t(m_selected)).adjusted(1, 1, -1, -1), 4, 4);
    } else if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(themeOf(palette()).accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5 - legendHeight()), 5, 5);
    }
    paintLegend(painter);
}

} // namespace triaxis::ui
