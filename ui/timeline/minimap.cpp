#include "ui/timeline/minimap.h"

#include "engine/timeline/aggregate_painter.h"
#include "ui/base/widget_keys.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostLanes = 48; ///< more are represented by evenly chosen ones
constexpr double margin = 3;
constexpr double grip = 5;
constexpr double leastWindow = 6; ///< pixels, so that it can be seen and grabbed

} // namespace

Minimap::Minimap(ViewRange& range, QWidget* parent) : QWidget(parent), m_range(range)
{
    setObjectName(QStringLiteral("minimap"));
    setAccessibleName(tr("Map of the whole run; arrow keys move the visible part"));
    setToolTip(tr("The whole run: what share of the ranks does what. Drag the frame to "
                              "move it, its edges to zoom."));
    setFocusPolicy(Qt::TabFocus);
    setKeySection(this, QStringLiteral("Timeline: mouse"));
    setWidgetKeys(this,
                  {{{tr("drag in the map")}, tr("Move the window there"), true},
                   {{QStringLiteral("Left"), QStringLiteral("Right"), QStringLiteral("Up"), QStringLiteral("Down"), QStringLiteral("Home")}, tr("In the map: move, zoom, show all")}});
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_later.setSingleShot(true);
    m_later.setInterval(1000);
    connect(&m_later, &QTimer::timeout, this, &Minimap::outdate);
    connect(&range, &ViewRange::windowChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &ViewRange::selectionChanged, this, qOverload<>(&QWidget::update));
}

void Minimap::outdate()
{
    m_stale = true;
    update();
}

void Minimap::setLanes(std::shared_ptr<const Lanes> lanes)
{
    m_lanes = std::move(lanes);
    outdate();
}

void Minimap::lanesGrown()
{
    if (!m_later.isActive())
        m_later.start();
}

void Minimap::setPlot(double left, double width)
{
    m_left = left;
    m_width = width;
    outdate();
}

QSize Minimap::sizeHint() const
{
    return {200, scaled(30)};
}

TimeMapping Minimap::mapping() const
{
    const double begin = m_lanes ? m_lanes->begin() : 0;
    const double end = m_lanes ? m_lanes->end() : 1;
    return {{begin, std::max(end, begin + 1e-9)},
            m_left,
            std::max(1.0, m_width > 0 ? m_width : width() - m_left)};
}

QRectF Minimap::windowRect() const
{
    const TimeMapping map = mapping();
    double left = std::clamp(map.x(m_range.window().from), map.left, map.left + map.width);
    double right = std::clamp(map.x(m_range.window().to), map.left, map.left + map.width);
    if (right - left < leastWindow) {
        const double middle = std::clamp(
            (left + right) / 2, map.left + leastWindow / 2,
            std::max(map.left + leastWindow / 2, map.left + map.width - leastWindow / 2));
        left = middle - leastWindow / 2;
        right = middle + leastWindow / 2;
    }
    return {left, 0.5, right - left, height() - 1.0};
}

void Minimap::repaintMap()
{
    const Theme& theme = themeOf(palette());
    const double ratio = devicePixelRatioF();
    m_picture = QImage(size() * ratio, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(ratio);
    m_picture.fill(theme.panel);
    m_stale = false;
    const TimeMapping map = mapping();
    TrackFrame frame;
    frame.left = map.left;
    frame.top = margin;
    frame.width = map.width;
    frame.height = height() - 2 * margin;
    frame.from = map.window.from;
    frame.to = map.window.to;
    DisplayList list;
    list.width = width();
    list.height = height();
    list.items.emplace_back(
        FillRect{frame.left, frame.top, frame.width, frame.height, Ink::Idle, 2});
    if (m_lanes && !m_lanes->stepRanges().empty()) {
        std::vector<const Track*> tracks;
        const std::size_t all = m_lanes->ranks().size();
        const std::size_t shown = std::min(all, mostLanes);
        for (std::size_t i = 0; i < shown; ++i)
            tracks.push_back(&m_lanes->ranks()[i * all / shown].compute);
        paintAggregate(list, tracks, frame);
    }
    QPainter painter(&m_picture);
    m_player.play(painter, list, theme.painted);
}

void Minimap::paintEvent(QPaintEvent*)
{
    if (m_stale || m_picture.size() != size() * devicePixelRatioF())
        repaintMap();
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.drawImage(0, 0, m_picture);
    painter.setFont(fontOf(FontRole::Tiny));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, 0, m_left - 10, height()), Qt::AlignRight | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(tr("whole run"), Qt::ElideRight,
                                                      std::max(0, int(m_left) - 12)));
    if (!m_lanes || m_lanes->stepRanges().empty())
        return;
    const QRectF box = windowRect();
    const TimeMapping map = mapping();
    QColor veil = theme.panel;
    veil.setAlphaF(0.6F);
    painter.fillRect(QRectF(map.left, 0, box.left() - map.left, height()), veil);
    painter.fillRect(QRectF(box.right(), 0, map.left + map.width - box.right(), height()), veil);
    if (const auto marked = m_range.selection()) {
        QColor wash = theme.accent;
        wash.setAlphaF(0.3F);
        const double left = map.x(marked->from);
        painter.fillRect(QRectF(left, 0, std::max(1.0, map.x(marked->to) - left), height()), wash);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.muted, hasFocus() ? 2 : 1.2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
}

Minimap::Grip Minimap::gripAt(double x) const
{
    const QRectF box = windowRect();
    if (x < box.left() - grip || x > box.right() + grip)
        return Grip::None;
    if (box.width() > 4 * grip) {
        if (x < box.left() + grip)
            return Grip::Left;
        if (x > box.right() - grip)
            return Grip::Right;
    }
    return Grip::Move;
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (event->button() != Qt::LeftButton || !m_lanes || x < m_left)
        return;
    m_atPress = m_range.window();
    m_grip = gripAt(x);
    const double time = mapping().time(x);
    if (m_grip == Grip::None) {
        const double half = m_atPress.span() / 2;
        m_range.show({time - half, time + half});
        m_atPress = m_range.window();
        m_grip = Grip::Move;
    }
    m_grabbed = time - m_atPress.from;
}

void Minimap::drag(double x)
{
    const TimeMapping map = mapping();
    const double time = std::clamp(map.time(x), map.window.from, map.window.to);
    const double least = map.window.span() * 1e-6;
    switch (m_grip) {
    case Grip::None:
        return;
    case Grip::Move:
        m_range.moveTo(m_atPress.moved(time - m_grabbed - m_atPress.from));
        return;
    case Grip::Left:
        m_range.moveTo({std::min(time, m_atPress.to - least), m_atPress.to});
        return;
    case Grip::Right:
        m_range.moveTo({m_atPress.from, std::max(time, m_atPress.from + least)});
        return;
    }
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (m_grip != Grip::None) {
        drag(x);
        return;
    }
    const Grip over = x < m_left ? Grip::None : gripAt(x);
    setCursor(over == Grip::Left || over == Grip::Right ? Qt::SizeHorCursor
              : over == Grip::Move                      ? Qt::OpenHandCursor
                                                        : Qt::ArrowCursor);
}

void Minimap::mouseReleaseEvent(QMouseEvent*)
{
    m_grip = Grip::None;
}

void Minimap::wheelEvent(QWheelEvent* event)
{
    const TimeWindow& window = m_range.window();
    m_range.show(window.zoomed(std::pow(0.75, event->angleDelta().y() / 120.0),
                               (window.from + window.to) / 2));
    event->accept();
}

void Minimap::keyPressEvent(QKeyEvent* event)
{
    const TimeWindow& window = m_range.window();
    const double middle = (window.from + window.to) / 2;
    switch (event->key()) {
    case Qt::Key_Left:
        m_range.moveTo(window.moved(-window.span() / 4));
        return;
    case Qt::Key_Right:
        m_range.moveTo(window.moved(window.span() / 4));
        return;
    case Qt::Key_Up:
        m_range.show(window.zoomed(0.75, middle));
        return;
    case Qt::Key_Down:
        m_range.show(window.zoomed(1 / 0.75, middle));
        return;
    case Qt::Key_Home:
        m_range.showAll();
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void Minimap::resizeEvent(QResizeEvent*)
{
    outdate();
}

void Minimap::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateGeometry();
        outdate();
    }
}

} // namespace triaxis::ui
