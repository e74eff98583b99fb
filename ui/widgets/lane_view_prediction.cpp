#include "engine/core/units.h"
#include "engine/timeline/timeline_geometry.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"
#include "ui/widgets/lane_view.h"

#include <QAction>
#include <QPainter>

#include <cmath>

// The prediction over the measured spans: which span is whose twin, and what is said of both.

namespace triaxis::ui
{

void LaneView::setPrediction(std::shared_ptr<const Lanes> predicted)
{
    m_predicted = std::move(predicted);
    updateScrollBar();
    redraw();
    emit focusChanged();
    emit predictionChanged();
}

void LaneView::setPredictionShown(bool shown)
{
    m_predictionShown = shown;
    command(QStringLiteral("timeline.prediction"))->setChecked(shown);
    updateScrollBar();
    redraw();
    emit predictionChanged();
}

std::optional<SpanPlace> LaneView::twinOf(const SpanPlace& measured) const
{
    if (!m_lanes || !m_predicted)
        return std::nullopt;
    const Track& track = trackOf(*m_lanes, measured);
    return findSpan(*m_predicted, m_lanes->ranks()[measured.lane].rank, track.step(measured.index),
                    track.id(measured.index), measured.communication);
}

std::optional<SpanPlace> LaneView::measuredTwinOf(const SpanPlace& predicted) const
{
    const Track& track = trackOf(*m_predicted, predicted);
    return findSpan(*m_lanes, m_predicted->ranks()[predicted.lane].rank,
                    track.step(predicted.index), track.id(predicted.index));
}

QRectF LaneView::predictedBoxOf(const SpanPlace& predicted) const
{
    if (!isPredictionShown() || !m_lanes || !m_rows || predicted.communication)
        return {};
    const auto lane = m_lanes->laneOf(m_predicted->ranks()[predicted.lane].rank);
    if (!lane)
        return {};
    const TimelineView shown = view();
    const TimelineGeometry geometry(*m_lanes, shown);
    const auto row = geometry.rowOfLane(*lane);
    if (!row)
        return {};
    const Track& track = trackOf(*m_predicted, predicted);
    const TimeMapping map = mapping();
    const double left = map.x(track.begin(predicted.index));
    const double right = map.x(track.end(predicted.index));
    return {left, geometry.shownTop(*row) * fontScale(), std::max(2.0, right - left),
            shown.predictedHeight * fontScale()};
}

/// The predicted span under the pointer, in the strip above a compute track.
std::optional<SpanPlace> LaneView::predictedAt(const QPointF& position) const
{
    if (!isPredictionShown() || !m_lanes || !m_rows || position.x() < mapping().left)
        return std::nullopt;
    const TimelineView shown = view();
    const TimelineGeometry geometry(*m_lanes, shown);
    const double y = position.y() / fontScale();
    const auto at = geometry.rowAt(y);
    if (!at || geometry.rows()[at->row].kind != LaneRow::Kind::Lane ||
        y - geometry.shownTop(at->row) >= shown.predictedHeight)
        return std::nullopt;
    const auto lane = m_predicted->laneOf(m_lanes->ranks()[geometry.rows()[at->row].lane].rank);
    if (!lane)
        return std::nullopt;
    const Track& track = m_predicted->ranks()[*lane].compute;
    const double time = mapping().time(position.x());
    const std::size_t index = track.lowerBound(time);
    if (index >= track.size() || track.begin(index) > time)
        return std::nullopt;
    return SpanPlace{*lane, false, index};
}

QString LaneView::spanText(const SpanPlace& place) const
{
    QString text = describe(*m_lanes, place);
    const auto twin = isPredictionShown() ? twinOf(place) : std::nullopt;
    if (!twin)
        return text;
    const Track& measured = trackOf(*m_lanes, place);
    const Track& predicted = trackOf(*m_predicted, *twin);
    const double took = measured.end(place.index) - measured.begin(place.index);
    const double told = predicted.end(twin->index) - predicted.begin(twin->index);
    text += QStringLiteral("\npredicted %1").arg(toQString(units::seconds(told)));
    if (took > 0)
        text += QStringLiteral(" (%1)").arg(signedPercent(told / took - 1));
    return text;
}

QString LaneView::predictedSpanText(const SpanPlace& predicted) const
{
    QString text = QStringLiteral("predicted: ") + describe(*m_predicted, predicted);
    if (const auto twin = measuredTwinOf(predicted)) {
        const Track& track = trackOf(*m_lanes, *twin);
        text +=
            QStringLiteral("\nmeasured %1")
                .arg(toQString(units::seconds(track.end(twin->index) - track.begin(twin->index))));
    } else {
        text += QStringLiteral("\nnot measured");
    }
    return text;
}

/// Frames the predicted span of the one that has the focus, and ties the two together.
void LaneView::paintTwin(QPainter& painter)
{
    if (!m_focus || m_focus->communication || !isPredictionShown())
        return;
    const auto twin = twinOf(*m_focus);
    if (!twin)
        return;
    const QRectF box = predictedBoxOf(*twin);
    const QRectF own = boxOf(*m_focus);
    const QRectF plot = plotRect();
    if (box.isNull() || own.isNull() || !plot.intersects(box.united(own)))
        return;
    painter.save();
    painter.setClipRect(plot);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(themeOf(palette()).text, 1.4));
    painter.drawRect(box.adjusted(0, 0, 0, 0.5));
    painter.setPen(QPen(themeOf(palette()).text, 1, Qt::DotLine));
    painter.drawLine(box.bottomLeft(), own.topLeft());
    painter.drawLine(box.bottomRight(), own.topRight());
    painter.restore();
}

} // namespace triaxis::ui
