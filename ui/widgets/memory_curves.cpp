#include "ui/widgets/memory_curves.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/base/language.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr double legendLine = 17;
constexpr std::int64_t mostHeadroom = 4; // of the capacity over the curves, for it to be drawn

struct LegendPlace
{
    int category = 0;
    QPointF at;
};

std::vector<LegendPlace> legendPlaces(double width, double& height)
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    std::vector<LegendPlace> places;
    double x = 0;
    double y = 0;
    for (int category = 0; category < memoryCategoryCount; ++category) {
        const double needed =
            scaled(13) + metrics.horizontalAdvance(spoken(toText(MemoryCategory(category))));
        if (x > 0 && x + needed > width) {
            x = 0;
            y += scaled(legendLine);
        }
        places.push_back({category, {x, y}});
        x += needed + scaled(12);
    }
    height = y + scaled(legendLine);
    return places;
}

} // namespace

MemoryCurves::MemoryCurves(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("memoryCurves"));
    setAccessibleName(tr("Memory of the selected rank over time"));
    setMouseTracking(true);
}

void MemoryCurves::setPoints(std::vector<Point> points)
{
    m_points = std::move(points);
    std::int64_t most = 0;
    for (const Point& point : m_points)
        most = std::max(most, point.total);
    setAccessibleDescription(tr("peak %1").arg(spoken(units::bytes(most))));
    update();
}

void MemoryCurves::setCapacity(std::int64_t bytes)
{
    m_capacity = bytes;
    update();
}

void MemoryCurves::setPredictedPeak(std::int64_t bytes)
{
    m_predicted = bytes;
    update();
}

void MemoryCurves::setCursor(std::optional<double> seconds)
{
    m_cursor = seconds;
    update();
}

/// Of the curves and the predicted peak.
std::int64_t MemoryCurves::most() const
{
    std::int64_t most = m_predicted;
    for (const Point& point : m_points) {
        std::int64_t stacked = 0;
        for (const std::int64_t bytes : point.bytes)
            stacked += bytes;
        most = std::max({most, point.total, stacked});
    }
    return most;
}

bool MemoryCurves::isCapacityDrawn() const
{
    return m_capacity > 0 && most() * mostHeadroom >= m_capacity;
}

QString MemoryCurves::capacityText() const
{
    if (m_capacity <= 0 || isCapacityDrawn())
        return {};
    std::int64_t peak = 0;
    for (const Point& point : m_points)
        peak = std::max(peak, point.total);
    return tr("peak %1 of %2")
        .arg(spoken(units::percent(double(peak) / double(m_capacity))),
             spoken(units::bytes(m_capacity)));
}

QSize MemoryCurves::sizeHint() const
{
    return {scaled(300), scaled(190)};
}

QSize MemoryCurves::minimumSizeHint() const
{
    return {scaled(160), scaled(150)};
}

double MemoryCurves::legendHeight(double width) const
{
    double height = 0;
    legendPlaces(width, height);
    return height;
}

QRectF MemoryCurves::plot() const
{
    const double left = scaled(2);
    const double top = scaled(16);
    return {left, top, std::max(10.0, width() - 2 * left),
            std::max(10.0, height() - top - scaled(18) - legendHeight(width()))};
}

double MemoryCurves::timeAt(double x) const
{
    if (m_points.empty())
        return 0;
    const QRectF area = plot();
    const double share = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
    return m_points.front().from + share * (m_points.back().to - m_points.front().from);
}

const MemoryCurves::Point* MemoryCurves::pointAt(double seconds) const
{
    if (m_points.empty())
        return nullptr;
    const auto found = std::lower_bound(m_points.begin(), m_points.end(), seconds,
                                        [](const Point& point, double t) { return point.to < t; });
    return found == m_points.end() ? &m_points.back() : &*found;
}

bool MemoryCurves::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const Point* point = pointAt(timeAt(help->pos().x()));
    if (!point) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines{tr("until %1: %2 at once")
                          .arg(spoken(units::seconds(point->to)),
                               spoken(units::bytes(point->total)))};
    for (int category = 0; category < memoryCategoryCount; ++category)
        lines << QStringLiteral("%1: %2").arg(
            spoken(toText(MemoryCategory(category))),
            spoken(units::bytes(point->bytes[std::size_t(category)])));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

void MemoryCurves::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && !m_points.empty())
        emit cursorChosen(timeAt(event->position().x()));
}

void MemoryCurves::mouseMoveEvent(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton) && !m_points.empty())
        emit cursorChosen(timeAt(event->position().x()));
}

/// One column a pixel: the fullest point in it.
void MemoryCurves::paintAreas(QPainter& painter, const QRectF& area, double top) const
{
    const Theme& theme = themeOf(palette());
    std::vector<const Point*> columns;
    for (int x = 0; x < int(area.width()); ++x) {
        const double from = timeAt(area.left() + x);
        const double to = timeAt(area.left() + x + 1);
        const Point* fullest = pointAt(from);
        for (const Point* point = fullest; point <= &m_points.back() && point->from < to; ++point)
            fullest = point->total > fullest->total ? point : fullest;
        columns.push_back(fullest);
    }
    QPolygonF line;
    for (std::size_t x = 0; x < columns.size(); ++x) {
        double y = area.bottom();
        const double left = area.left() + double(x);
        for (int category = 0; category < memoryCategoryCount; ++category) {
            const double length =
                double(columns[x]->bytes[std::size_t(category)]) / top * area.height();
            if (length <= 0)
                continue;
            painter.fillRect(QRectF(left, y - length, 1, length), theme.memory[std::size_t(category)]);
            y -= length;
        }
        const double total = area.bottom() - double(columns[x]->total) / top * area.height();
        line << QPointF(left, total) << QPointF(left + 1, total);
    }
    painter.setPen(QPen(theme.text, 1.2));
    painter.drawPolyline(line);
}

void MemoryCurves::paintLine(QPainter& painter, const QRectF& area, double top, std::int64_t bytes,
                             const QString& name, const QColor& colour) const
{
    if (bytes <= 0)
        return;
    const double y = area.bottom() - double(bytes) / top * area.height();
    QPen pen(colour, 1.2);
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
    painter.setFont(fontOf(FontRole::Tiny));
    painter.setPen(colour);
    painter.drawText(QPointF(area.left() + 2, y - 3),
                     name + QLatin1Char(' ') + spoken(units::bytes(bytes)));
}

void MemoryCurves::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    double height = 0;
    const auto places = legendPlaces(width(), height);
    for (const LegendPlace& place : places) {
        const double middle =
            this->height() - height + place.at.y() + scaled(legendLine) / 2.0;
        painter.fillRect(QRectF(place.at.x(), middle - scaled(4), scaled(8), scaled(8)),
                         theme.memory[std::size_t(place.category)]);
        painter.setPen(theme.muted);
        painter.drawText(QPointF(place.at.x() + scaled(13), middle + metrics.ascent() / 2.0 - 1),
                         spoken(toText(MemoryCategory(place.category))));
    }
}

void MemoryCurves::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    if (m_points.empty()) {
        painter.setPen(theme.muted);
        painter.setFont(fontOf(FontRole::Small));
        painter.drawText(rect(), Qt::AlignCenter, tr("No memory samples yet"));
        return;
    }
    const std::int64_t shown = std::max({std::int64_t(1), most(), isCapacityDrawn() ? m_capacity : 0});
    const double top = double(shown) * 1.08;
    const QRectF area = plot();
    painter.setFont(fontOf(FontRole::Tiny));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(area.left(), 0, area.width(), scaled(14)), Qt::AlignLeft | Qt::AlignVCenter,
                     spoken(units::bytes(std::int64_t(top))));
    painter.drawText(QRectF(area.left(), area.bottom() + 2, area.width(), scaled(14)),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     spoken(units::seconds(m_points.front().from)));
    painter.drawText(QRectF(area.left(), area.bottom() + 2, area.width(), scaled(14)),
                     Qt::AlignRight | Qt::AlignVCenter,
                     spoken(units::seconds(m_points.back().to)));
    paintAreas(painter, area, top);
    if (isCapacityDrawn())
        paintLine(painter, area, top, m_capacity, tr("capacity"), theme.danger);
    painter.setPen(theme.muted);
    painter.setFont(fontOf(FontRole::Tiny));
    painter.drawText(QRectF(area.left(), 0, area.width(), scaled(14)),
                     Qt::AlignRight | Qt::AlignVCenter, capacityText());
    paintLine(painter, area, top, m_predicted, tr("predicted peak"), theme.accent);
    painter.setPen(theme.line);
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    if (m_cursor && m_points.back().to > m_points.front().from) {
        const double share = (*m_cursor - m_points.front().from) /
                             (m_points.back().to - m_points.front().from);
        if (share >= 0 && share <= 1)
            painter.fillRect(QRectF(area.left() + share * area.width() - 0.75, area.top(), 1.5,
                                    area.height()),
                             theme.accent);
    }
    paintLegend(painter);
}

} // namespace triaxis::ui
