#include "engine/core/units.h"
#include "engine/timeline/timeline_geometry.h"
#include "ui/base/language.h"
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

void LaneView::setPrediction(std::shared_ptr<const Lanes> predicted,
                             std::shared_ptr<const Lanes> step)
{
    m_predicted = std::move(predicted);
    m_predictedStep = std::move(step);
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

void LaneView::setPredictionScaled(bool scaled)
{
    m_predictionScaled = scaled;
    command(QStringLiteral("timeline.scalePrediction"))->setChecked(scaled);
    emit predictionChanged();
}

std::optional<PredictedTimes> LaneView::predictedTimesOf(const SpanPlace& measured) const
{
    if (!m_lanes || !m_predicted)
        return std::nullopt;
    const SpanDetails took = detailsOf(*m_lanes, measured);
    const Lanes& step = m_predictedStep ? *m_predictedStep : *m_predicted;
    const std::int32_t number = m_predictedStep ? step.steps().first : took.step;
    const auto place = findSpan(step, took.rank, number, took.id, measured.communication);
    if (!place)
        return std::nullopt;
    const SpanDetails told = detailsOf(step, *place);
    const double stepBegin = m_lanes->stepRange(took.step).first;
    const double toldBegin = m_predictedStep ? 0 : stepBegin;
    return PredictedTimes{told.seconds(), took.begin - stepBegin - (told.begin - toldBegin)};
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
    const auto predicted = isPredictionShown() ? predictedTimesOf(place) : std::nullopt;
    if (!predicted)
        return text;
    const double took = detailsOf(*m_lanes, place).seconds();
    return text + tr("\npredicted %1, began %2")
                      .arg(durationAgainst(predicted->seconds, took), lateText(predicted->late));
}

QString LaneView::predictedSpanText(const SpanPlace& predicted) const
{
    const Track& laid = trackOf(*m_predicted, predicted);
    QString text = tr("predicted: ");
    const auto original =
        m_predictedStep ? findSpan(*m_predictedStep, m_predicted->ranks()[predicted.lane].rank,
                                   m_predictedStep->steps().first, laid.id(predicted.index))
                        : std::nullopt;
    text += original ? describe(*m_predictedStep, *original) : describe(*m_predicted, predicted);
    const auto twin = measuredTwinOf(predicted);
    const auto times = twin ? predictedTimesOf(*twin) : std::nullopt;
    if (!times)
        return text + tr("\nnot measured");
    return text + tr("\nmeasured %1, began %2")
                      .arg(spoken(units::seconds(detailsOf(*m_lanes, *twin).seconds())),
                           lateText(times->late));
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
