#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/traffic_grid.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <span>

// What stands in the cells and how they look.

namespace triaxis::ui
{

TrafficGrid::Unit TrafficGrid::unit() const
{
    static constexpr Unit bytes[] = {
        {1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}};
    static constexpr Unit seconds[] = {{1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}};
    const std::span<const Unit> units =
        m_measure == Measure::Bytes ? std::span<const Unit>(bytes) : std::span<const Unit>(seconds);
    std::size_t chosen = 0;
    while (chosen + 1 < units.size() && m_most >= units[chosen + 1].size)
        ++chosen;
    return units[chosen];
}

/// At most four characters where it has no unit.
QString TrafficGrid::numberText(double value, Numbers numbers) const
{
    if (value <= 0 || numbers == Numbers::None)
        return {};
    if (numbers == Numbers::WithUnit)
        return valueText(value);
    const double amount = value / unit().size;
    if (amount < 0.005)
        return QStringLiteral("≈0");
    return decimalText(amount, amount < 9.995 ? 2 : amount < 99.95 ? 1 : 0);
}

bool TrafficGrid::fits(Numbers numbers, const QFont& font) const
{
    const QFontMetrics metrics(font);
    const QRectF cell = box(0, 0);
    if (cell.height() < metrics.height() || cell.width() < metrics.averageCharWidth() * 2)
        return false;
    return std::all_of(m_matrix.cells.begin(), m_matrix.cells.end(),
                       [&](const TrafficMatrix::Cell& one) {
                           return metrics.horizontalAdvance(numberText(valueOf(one), numbers)) <=
                                  cell.width() - scaled(4);
                       });
}

std::pair<TrafficGrid::Numbers, QFont> TrafficGrid::fitting() const
{
    for (const auto& [numbers, role] : {std::pair(Numbers::WithUnit, FontRole::Small),
                                        std::pair(Numbers::InOneUnit, FontRole::Small),
                                        std::pair(Numbers::InOneUnit, FontRole::Tiny)})
        if (fits(numbers, fontOf(role)))
            return {numbers, fontOf(role)};
    return {Numbers::None, fontOf(FontRole::Small)};
}

QString TrafficGrid::textOf(const Place& place) const
{
    return numberText(valueOf(m_matrix.at(std::size_t(place.from), std::size_t(place.to))),
                      numbers());
}

QString TrafficGrid::legendText() const
{
    const QString most = valueText(m_most);
    switch (numbers()) {
    case Numbers::WithUnit:
        return most;
    case Numbers::InOneUnit:
        return most + tr(" · cells in ") + spoken(unit().name);
    case Numbers::None:
        return most + tr(" · choose a cell for its number");
    }
    return most;
}

void TrafficGrid::paintCells(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    const auto [numbers, font] = fitting();
    painter.setFont(font);
    for (int from = 0; from < int(m_matrix.size()); ++from)
        for (int to = 0; to < int(m_matrix.size()); ++to) {
            const double value = valueOf(m_matrix.at(std::size_t(from), std::size_t(to)));
            const QRectF cell = box(from, to);
            const QColor colour =
                value > 0 && m_most > 0 ? theme.heat(0.12 + 0.88 * value / m_most) : theme.track;
            painter.fillRect(cell, colour);
            painter.setPen(labelOn(colour));
            painter.drawText(cell, Qt::AlignCenter, numberText(value, numbers));
        }
    if (!m_selected.any())
        return;
    painter.setPen(QPen(theme.text, hasFocus() ? 2.4 : 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box(m_selected.from, m_selected.to).adjusted(0.5, 0.5, -0.5, -0.5));
}

void TrafficGrid::paintNames(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(theme.muted);
    const QFontMetrics metrics = painter.fontMetrics();
    // Every so many rows get a name where not all of them fit.
    double widest = 0;
    for (std::size_t row = 0; row < m_matrix.size(); ++row)
        widest = std::max<double>(widest, metrics.horizontalAdvance(shortName(row)) + scaled(6));
    const QRectF cell = box(0, 0);
    const int everyRow = std::max(1, int(std::ceil(metrics.height() / (cell.height() + 1))));
    const int everyColumn = std::max(1, int(std::ceil(widest / (cell.width() + 1))));
    for (int row = 0; row < int(m_matrix.size()); ++row) {
        const QRectF first = box(row, 0);
        const QRectF top = box(0, row);
        const double line = std::max<double>(first.height(), metrics.height());
        if (row % everyRow == 0)
            painter.drawText(
                QRectF(0, first.center().y() - line / 2, labelWidth() - scaled(6), line),
                Qt::AlignRight | Qt::AlignVCenter, shortName(std::size_t(row)));
        const double across = std::max(top.width(), widest);
        if (row % everyColumn == 0)
            painter.drawText(QRectF(top.center().x() - across / 2, 0, across, scaled(nameRoom) - 2),
                             Qt::AlignCenter, shortName(std::size_t(row)));
    }
}

void TrafficGrid::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    const QRectF line(labelWidth(), height() - scaled(legendRoom) + scaled(8),
                      width() - labelWidth(), scaled(legendRoom) - scaled(8));
    const QString most = legendText();
    painter.setPen(theme.muted);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, QStringLiteral("0"));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, most);
    const double left = line.left() + metrics.horizontalAdvance(QLatin1Char('0')) + scaled(8);
    const double right = line.right() - metrics.horizontalAdvance(most) - scaled(8);
    constexpr int shades = 40;
    for (int i = 0; i < shades; ++i)
        painter.fillRect(QRectF(left + (right - left) * i / shades, line.center().y() - scaled(4),
                                (right - left) / shades + 0.5, scaled(8)),
                         theme.heat(0.12 + 0.88 * (i + 0.5) / shades));
}

void TrafficGrid::paintEvent(QPaintEvent*)
{
    if (m_matrix.size() == 0)
        return;
    QPainter painter(this);
    paintCells(painter);
    paintNames(painter);
    paintLegend(painter);
    if (hasFocus() && !m_selected.any()) {
        painter.setPen(QPen(themeOf(palette()).accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(area().adjusted(-1, -1, 0, 0));
    }
}

} // namespace triaxis::ui
