#include "ui/widgets/lane_view.h"

#include "engine/timeline/timeline_geometry.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/lane_view_accessible.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double headerWidth = 110;
constexpr double lowestLane = 18;
constexpr double tallestLane = 32;

} // namespace

LaneView::LaneView(QWidget* parent) : QAbstractScrollArea(parent)
{
    static const bool readable = [] {
        QAccessible::installFactory(LaneViewAccessible::make);
        return true;
    }();
    Q_UNUSED(readable);
    setObjectName(QStringLiteral("timeline"));
    setAccessibleName(QStringLiteral("Timeline of all ranks"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setAutoFillBackground(false);
    viewport()->setMouseTracking(true);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &LaneView::redraw);
    connectRange();
}

void LaneView::connectRange()
{
    connect(m_range, &ViewRange::windowChanged, this, [this] {
        redraw();
        emit windowChanged();
    });
    connect(m_range, &ViewRange::followingChanged, this, &LaneView::followingChanged);
    connect(m_range, &ViewRange::selectionChanged, this, [this] {
        viewport()->update();
        emit measuredChanged();
    });
    connect(m_range, &ViewRange::cursorChanged, viewport(), qOverload<>(&QWidget::update));
}

void LaneView::setRange(ViewRange* range)
{
    ViewRange* const wanted = range ? range : &m_ownRange;
    if (wanted == m_range)
        return;
    disconnect(m_range, nullptr, this, nullptr);
    disconnect(m_range, nullptr, viewport(), nullptr);
    m_range = wanted;
    connectRange();
    m_range->setLanes(m_lanes);
    redraw();
}

void LaneView::setPrediction(std::shared_ptr<const Lanes> predicted)
{
    m_predicted = std::move(predicted);
    redraw();
}

void LaneView::setPredictionShown(bool shown)
{
    m_predictionShown = shown;
    redraw();
}

void LaneView::setLanes(std::shared_ptr<const Lanes> lanes)
{
    m_lanes = std::move(lanes);
    m_focus.reset();
    m_predicted.reset();
    m_range->setLanes(m_lanes);
    updateScrollBar();
    redraw();
}

void LaneView::lanesGrown()
{
    m_range->lanesGrown();
    updateScrollBar();
    redraw();
}

double LaneView::computeHeight() const
{
    if (!m_lanes || m_lanes->ranks().empty())
        return lowestLane;
    TimelineView view;
    view.computeHeight = lowestLane;
    const double spare = viewport()->height() / fontScale() - timelineHeight(*m_lanes, view);
    const double more = spare / double(m_lanes->ranks().size());
    return std::clamp(lowestLane + more, lowestLane, tallestLane);
}

TimelineView LaneView::view() const
{
    TimelineView view;
    view.from = window().from;
    view.to = window().to;
    view.width = viewport()->width() / fontScale();
    view.height = viewport()->height() / fontScale();
    view.headerWidth = headerWidth;
    view.computeHeight = computeHeight();
    view.communicationHeight += (view.computeHeight - lowestLane) * 0.25;
    view.scrollY = verticalScrollBar()->value() / fontScale();
    return view;
}

TimeMapping LaneView::mapping() const
{
    const double left = headerWidth * fontScale();
    return {window(), left, std::max(1.0, viewport()->width() - left)};
}

void LaneView::clearMarks()
{
    m_range->select(std::nullopt);
    m_range->setCursor(std::nullopt);
    setFocusedSpan(std::nullopt);
}

void LaneView::updateScrollBar()
{
    if (!m_lanes)
        return;
    const double whole = timelineHeight(*m_lanes, view()) * fontScale();
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(scaled(20));
    verticalScrollBar()->setRange(0, std::max(0, int(std::ceil(whole)) - viewport()->height()));
}

void LaneView::redraw()
{
    m_stale = true;
    viewport()->update();
}

void LaneView::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(viewport());
    if (!m_lanes || m_lanes->steps().second < m_lanes->steps().first) {
        painter.setPen(theme.muted);
        painter.setFont(fontOf(FontRole::Body));
        painter.drawText(viewport()->rect(), Qt::AlignCenter,
                         QStringLiteral("Spans appear when the first step is done"));
        return;
    }
    const double ratio = viewport()->devicePixelRatioF();
    const QSize pixels = viewport()->size() * ratio;
    if (m_stale || m_picture.size() != pixels) {
        m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        m_picture.fill(theme.panel);
        QPainter inside(&m_picture);
        inside.setRenderHint(QPainter::Antialiasing);
        inside.scale(fontScale(), fontScale());
        m_player.play(inside, drawTimeline(*m_lanes, view()), theme.painted);
        m_stale = false;
    }
    painter.drawPixmap(0, 0, m_picture);
    painter.setRenderHint(QPainter::Antialiasing);
    paintFocus(painter);
    paintMeasured(painter);
}

void LaneView::paintMeasured(QPainter& painter)
{
    const auto marked = measured();
    if (!marked || !m_lanes)
        return;
    const Theme& theme = themeOf(palette());
    const TimeMapping map = mapping();
    const double left = std::max(map.left, map.x(marked->from));
    const double right = std::min(map.left + map.width, map.x(marked->to));
    if (right < map.left || left > map.left + map.width)
        return;
    const QRectF band(left, 0, std::max(1.0, right - left), viewport()->height());
    QColor wash = theme.accent;
    wash.setAlphaF(0.14F);
    painter.fillRect(band, wash);
    painter.fillRect(QRectF(band.left(), 0, 1, band.height()), theme.accent);
    painter.fillRect(QRectF(band.right() - 1, 0, 1, band.height()), theme.accent);

    const QString text = toText(measure(*m_lanes, *marked));
    painter.setFont(fontOf(FontRole::Small));
    const double width = painter.fontMetrics().horizontalAdvance(text) + 20;
    const double height = scaled(26);
    const double x = std::clamp(band.center().x() - width / 2, map.left + 4,
                                std::max(map.left + 4, viewport()->width() - width - 4.0));
    const QRectF pill(x, viewport()->height() - height - 6, width, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    painter.drawRoundedRect(pill, 5, 5);
    painter.setPen(theme.panel);
    painter.drawText(pill, Qt::AlignCenter, text);
}

void LaneView::paintFocus(QPainter& painter)
{
    if (!m_focus)
        return;
    const QRectF box = boxOf(*m_focus);
    const QRectF plot(mapping().left, 0, mapping().width, viewport()->height());
    if (!box.intersects(plot))
        return;
    painter.setPen(QPen(themeOf(palette()).text, 1.6));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(box.intersected(plot).adjusted(-1, -1, 1, 1), 3, 3);
}

std::optional<SpanPlace> LaneView::placeAt(const QPointF& position) const
{
    if (!m_lanes)
        return std::nullopt;
    const TimelineHit hit =
        hitTest(*m_lanes, view(), position.x() / fontScale(), position.y() / fontScale());
    if (!hit.found)
        return std::nullopt;
    const auto& ranks = m_lanes->ranks();
    for (std::size_t lane = 0; lane < ranks.size(); ++lane) {
        if (ranks[lane].rank == hit.rank)
            return SpanPlace{lane, hit.communication, hit.index};
    }
    return std::nullopt;
}

QRectF LaneView::laneRect(std::size_t lane, bool communication) const
{
    const TimelineView shown = view();
    const TimelineGeometry geometry(*m_lanes, shown);
    const double top = geometry.laneTop(lane) - shown.scrollY +
                       (communication ? geometry.communicationOffset() : 0);
    const double height = communication ? shown.communicationHeight : shown.computeHeight;
    return {0, top * fontScale(), double(viewport()->width()), height * fontScale()};
}

QRectF LaneView::boxOf(const SpanPlace& place) const
{
    const Track& track = trackOf(*m_lanes, place);
    const TimeMapping map = mapping();
    const double left = map.x(track.begin(place.index));
    const double right = map.x(track.end(place.index));
    const QRectF lane = laneRect(place.lane, place.communication);
    return {left, lane.top(), std::max(2.0, right - left), lane.height()};
}

void LaneView::resizeEvent(QResizeEvent*)
{
    updateScrollBar();
    redraw();
}

void LaneView::changeEvent(QEvent* event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::StyleChange) {
        updateScrollBar();
        redraw();
    }
}

} // namespace triaxis::ui
