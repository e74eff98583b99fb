#include "ui/widgets/traffic_grid.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <span>

namespace triaxis::ui
{
namespace
{

constexpr double legendRoom = 26;
constexpr double nameRoom = 18;

QString bytesText(double bytes)
{
    return spoken(units::bytes(std::int64_t(std::llround(bytes))));
}

} // namespace

TrafficGrid::TrafficGrid(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("trafficGrid"));
    setAccessibleName(tr("What ranks send to each other"));
    setFocusPolicy(Qt::StrongFocus);
    setKeySection(this, QStringLiteral("Run: figures"));
    setWidgetKeys(this, {{{QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Up"),
                           QStringLiteral("Down"), QStringLiteral("Home"), QStringLiteral("End")},
                          tr("Cells of memory and traffic: choose another")},
                         {{QStringLiteral("Esc")}, tr("Cells: choose none")}});
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TrafficGrid::setMatrix(TrafficMatrix matrix, Measure measure)
{
    const bool other = matrix.size() != m_matrix.size();
    m_matrix = std::move(matrix);
    m_measure = measure;
    m_most = 0;
    for (const TrafficMatrix::Cell& cell : m_matrix.cells)
        m_most = std::max(m_most, valueOf(cell));
    if (other) {
        m_selected = {};
        updateGeometry();
    }
    setAccessibleDescription(m_selected.any() ? describe(m_selected) : describeAll());
    update();
    emit selectionChanged();
}

void TrafficGrid::select(const Place& place)
{
    if (place == m_selected)
        return;
    m_selected = place;
    setAccessibleDescription(place.any() ? describe(place) : describeAll());
    update();
    emit selectionChanged();
}

double TrafficGrid::valueOf(const TrafficMatrix::Cell& cell) const
{
    return m_measure == Measure::Bytes ? cell.bytes : cell.seconds;
}

QString TrafficGrid::valueText(double value) const
{
    return m_measure == Measure::Bytes ? bytesText(value) : spoken(units::seconds(value));
}

QString TrafficGrid::describe(const Place& place) const
{
    if (!place.any() || std::size_t(std::max(place.from, place.to)) >= m_matrix.size())
        return {};
    const TrafficMatrix::Cell& cell = m_matrix.at(std::size_t(place.from), std::size_t(place.to));
    QString text = QStringLiteral("%1 → %2: ")
                       .arg(spoken(m_matrix.names[std::size_t(place.from)]),
                            spoken(m_matrix.names[std::size_t(place.to)]));
    if (cell.bytes <= 0)
        return text + tr("nothing");
    text += tr("%1 a step").arg(bytesText(cell.bytes));
    if (cell.seconds > 0)
        text +=
            tr(", %1, %2/s")
                .arg(spoken(units::seconds(cell.seconds)), bytesText(cell.bytes / cell.seconds));
    else
        text += tr(", time not measured");
    QStringList parts;
    for (int axis = 0; axis < trafficAxisCount; ++axis)
        if (cell.byAxis[std::size_t(axis)] > 0)
            parts << QStringLiteral("%1 %2").arg(spoken(toText(TrafficAxis(axis))),
                                                 bytesText(cell.byAxis[std::size_t(axis)]));
    if (parts.size() > 1)
        text += QStringLiteral(" (%1)").arg(parts.join(QStringLiteral(", ")));
    if (cell.pairs > 1)
        text += QStringLiteral(", %1").arg(counted(cell.pairs, QStringLiteral("link")));
    return text;
}

QString TrafficGrid::describeAll() const
{
    Place most;
    double bytes = 0;
    for (std::size_t from = 0; from < m_matrix.size(); ++from)
        for (std::size_t to = 0; to < m_matrix.size(); ++to)
            if (const double here = m_matrix.at(from, to).bytes; here > bytes) {
                bytes = here;
                most = {int(from), int(to)};
            }
    return most.any() ? tr("most between one pair: %1").arg(describe(most)) : tr("nothing is sent");
}

QString TrafficGrid::shortName(std::size_t row) const
{
    QString name = spoken(m_matrix.names[row]);
    name.remove(QStringLiteral("rank "));
    name.replace(QStringLiteral("data "), QStringLiteral("d"));
    name.replace(QStringLiteral("stage "), QStringLiteral("s"));
    name.replace(QStringLiteral(" · "), QStringLiteral("·"));
    return name;
}

double TrafficGrid::labelWidth() const
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    int widest = 0;
    for (std::size_t row = 0; row < m_matrix.size(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(shortName(row)));
    return widest + scaled(8);
}

int TrafficGrid::heightForWidth(int width) const
{
    const double rows = std::max<double>(1, double(m_matrix.size()));
    const double cells = std::clamp((width - labelWidth()) * 0.72, rows * 4, double(scaled(330)));
    const double few = rows * scaled(40);
    return int(std::min(cells, std::max(few, double(scaled(60)))) + scaled(nameRoom + legendRoom));
}

QSize TrafficGrid::sizeHint() const
{
    return {scaled(280), heightForWidth(std::max(width(), scaled(240)))};
}

QSize TrafficGrid::minimumSizeHint() const
{
    return {scaled(160), heightForWidth(std::max(width(), scaled(200)))};
}

QRectF TrafficGrid::area() const
{
    const double left = labelWidth();
    const double top = scaled(nameRoom);
    return {left, top, std::max(10.0, width() - left),
            std::max(10.0, double(height()) - scaled(nameRoom + legendRoom))};
}

QRectF TrafficGrid::box(int from, int to) const
{
    const QRectF all = area();
    const double rows = std::max<double>(1, double(m_matrix.size()));
    const double gap = rows > 32 ? 0.5 : rows > 12 ? 1 : 2;
    const double across = all.width() / rows;
    const double down = all.height() / rows;
    return {all.left() + to * across, all.top() + from * down, std::max(0.5, across - gap),
            std::max(0.5, down - gap)};
}

TrafficGrid::Place TrafficGrid::placeAt(const QPointF& at) const
{
    const QRectF all = area();
    if (!all.contains(at) || m_matrix.size() == 0)
        return {};
    const int rows = int(m_matrix.size());
    return {std::min(rows - 1, int((at.y() - all.top()) / all.height() * rows)),
            std::min(rows - 1, int((at.x() - all.left()) / all.width() * rows))};
}

bool TrafficGrid::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Place place = placeAt(help->pos());
    if (place.any())
        QToolTip::showText(help->globalPos(), describe(place), this,
                           box(place.from, place.to).toRect());
    else
        QToolTip::hideText();
    return true;
}

void TrafficGrid::mousePressEvent(QMouseEvent* event)
{
    const Place place = placeAt(event->position());
    if (event->button() == Qt::LeftButton && place.any())
        select(place == m_selected ? Place{} : place);
}

void TrafficGrid::keyPressEvent(QKeyEvent* event)
{
    const int rows = int(m_matrix.size());
    Place next = m_selected.any() ? m_selected : Place{0, 0};
    const int step = m_selected.any() ? 1 : 0;
    switch (event->key()) {
    case Qt::Key_Left:
        next.to -= step;
        break;
    case Qt::Key_Right:
        next.to += step;
        break;
    case Qt::Key_Up:
        next.from -= step;
        break;
    case Qt::Key_Down:
        next.from += step;
        break;
    case Qt::Key_Home:
        next.to = 0;
        break;
    case Qt::Key_End:
        next.to = rows - 1;
        break;
    case Qt::Key_Escape:
        if (m_selected.any()) {
            select({});
            return;
        }
        [[fallthrough]];
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    if (rows > 0)
        select({std::clamp(next.from, 0, rows - 1), std::clamp(next.to, 0, rows - 1)});
}

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
