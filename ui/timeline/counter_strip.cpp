#include "ui/timeline/counter_strip.h"

#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr double rowHeight = 34;
constexpr double rowGap = 4;

using Points = std::vector<std::pair<double, double>>;

Points::const_iterator firstAfter(const Points& points, double time)
{
    return std::upper_bound(points.begin(), points.end(), time,
                            [](double wanted, const auto& point) { return wanted < point.first; });
}

struct Extent
{
    double low = std::numeric_limits<double>::infinity();
    double high = -std::numeric_limits<double>::infinity();
    void add(double value)
    {
        if (!std::isfinite(value))
            return;
        low = std::min(low, value);
        high = std::max(high, value);
    }
    bool empty() const { return !(low <= high); }
};

} // namespace

CounterStrip::CounterStrip(ViewRange& range, QWidget* parent) : QWidget(parent), m_range(range)
{
    setObjectName(QStringLiteral("counters"));
    setAccessibleName(tr("Curves over time"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
    const auto refresh = [this] {
        QStringList lines;
        for (std::size_t i = 0; i < m_curves.size(); ++i)
            lines << reading(i);
        setAccessibleDescription(lines.join(QStringLiteral("; ")));
        update();
    };
    connect(&range, &ViewRange::windowChanged, this, refresh);
    connect(&range, &ViewRange::cursorChanged, this, refresh);
}

void CounterStrip::setCurves(std::vector<Curve> curves)
{
    const bool another = curves.size() != m_curves.size();
    m_curves = std::move(curves);
    if (another)
        updateGeometry();
    update();
}

void CounterStrip::setPlot(double left, double width)
{
    m_left = left;
    m_width = width;
    update();
}

QSize CounterStrip::sizeHint() const
{
    const int rows = std::max(1, int(m_curves.size()));
    return {200, rows * scaled(rowHeight + rowGap)};
}

TimeMapping CounterStrip::mapping() const
{
    return {m_range.window(), m_left, std::max(1.0, m_width > 0 ? m_width : width() - m_left)};
}

double CounterStrip::readTime() const
{
    return m_range.cursor().value_or(m_range.window().to);
}

double CounterStrip::valueAt(const Curve& curve, double time)
{
    const auto after = firstAfter(curve.points, time);
    return after == curve.points.begin() ? std::numeric_limits<double>::quiet_NaN()
                                         : (after - 1)->second;
}

QString CounterStrip::reading(std::size_t index) const
{
    const Curve& curve = m_curves[index];
    const double value = valueAt(curve, readTime());
    return curve.name + QStringLiteral(": ") +
           (std::isfinite(value) ? curve.text(value) : QStringLiteral("–"));
}

void CounterStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (std::size_t i = 0; i < m_curves.size(); ++i) {
        const double pitch = scaled(rowHeight + rowGap);
        paintCurve(painter, i, QRectF(0, double(i) * pitch, width(), scaled(rowHeight)));
    }
    const TimeMapping map = mapping();
    if (const auto cursor = m_range.cursor()) {
        const double x = map.x(*cursor);
        if (x >= map.left && x <= map.left + map.width)
            painter.fillRect(QRectF(x - 0.75, 0, 1.5, height()), themeOf(palette()).accent);
    }
}

void CounterStrip::paintCurve(QPainter& painter, std::size_t index, const QRectF& row) const
{
    const Theme& theme = themeOf(palette());
    const Curve& curve = m_curves[index];
    const TimeMapping map = mapping();
    const QRectF plot(map.left, row.top(), map.width, row.height());
    painter.fillRect(plot, theme.ink(Ink::Idle));

    painter.setFont(fontOf(FontRole::Tiny));
    const int room = std::max(0, int(m_left) - 12);
    const QFontMetrics metrics = painter.fontMetrics();
    const double value = valueAt(curve, readTime());
    painter.setPen(theme.text);
    painter.drawText(QRectF(0, row.top(), m_left - 10, row.height() / 2),
                     Qt::AlignRight | Qt::AlignBottom,
                     metrics.elidedText(curve.name, Qt::ElideRight, room));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, row.top() + row.height() / 2, m_left - 10, row.height() / 2),
                     Qt::AlignRight | Qt::AlignTop,
                     std::isfinite(value)
                         ? metrics.elidedText(curve.text(value), Qt::ElideRight, room)
                         : QStringLiteral("–"));

    // What is visible, the value that holds at the begin included.
    auto first = firstAfter(curve.points, map.window.from);
    if (first != curve.points.begin())
        --first;
    const auto last = firstAfter(curve.points, map.window.to);
    Extent extent;
    for (auto at = first; at != last; ++at)
        extent.add(at->second);
    if (extent.empty()) {
        painter.drawText(plot.adjusted(8, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("nothing recorded here"));
        return;
    }
    if (curve.fromZero)
        extent.add(0);
    const double span = std::max(extent.high - extent.low, std::abs(extent.high) * 1e-9 + 1e-300);
    const auto yOf = [&](double v) {
        return plot.bottom() - 2 - (v - extent.low) / span * (plot.height() - 5);
    };

    // One column a pixel: from the least to the greatest value in it.
    QPainterPath path;
    bool started = false;
    double column = -1e300;
    Extent within;
    double held = 0;
    const auto flush = [&] {
        if (within.empty())
            return;
        if (!started)
            path.moveTo(column, yOf(held));
        started = true;
        path.lineTo(column, yOf(within.low));
        path.lineTo(column, yOf(within.high));
        path.lineTo(column, yOf(held));
    };
    for (auto at = first; at != last; ++at) {
        if (!std::isfinite(at->second))
            continue;
        const double x = std::max(map.left, std::floor(map.x(at->first)));
        if (x != column) {
            flush();
            if (started)
                path.lineTo(x, yOf(held));
            within = {};
            column = x;
        }
        within.add(at->second);
        held = at->second;
    }
    flush();
    if (started && last == curve.points.end())
        path.lineTo(std::min(plot.right(), std::max(column + 1, map.x(curve.points.back().first))),
                    yOf(held));
    else if (started)
        path.lineTo(plot.right(), yOf(held));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 1.4, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(theme.muted);
    painter.drawText(plot.adjusted(0, 1, -4, 0), Qt::AlignRight | Qt::AlignTop,
                     curve.text(extent.high));
    if (!curve.fromZero)
        painter.drawText(plot.adjusted(0, 0, -4, -1), Qt::AlignRight | Qt::AlignBottom,
                         curve.text(extent.low));
}

void CounterStrip::mousePressEvent(QMouseEvent* event)
{
    mouseMoveEvent(event);
}

void CounterStrip::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (!(event->buttons() & Qt::LeftButton) || x < m_left)
        return;
    m_range.setFollowing(false);
    m_range.setCursor(mapping().time(x));
}

void CounterStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        update();
    }
}

} // namespace triaxis::ui
