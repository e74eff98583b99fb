#include "ui/widgets/bubble_bars.h"

#include "ui/base/language.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QColor colourOf(BubblePhase phase, const Theme& theme)
{
    switch (phase) {
    case BubblePhase::WarmUp:
        return theme.bubble;
    case BubblePhase::PeerWait:
        return mixed(theme.panel, theme.bubble, 0.2);
    case BubblePhase::OtherIdle:
        return mixed(theme.panel, theme.bubble, theme.highContrast ? 0.65 : 0.45);
    case BubblePhase::Transfer:
        return theme.ink(Ink::Pipeline);
    case BubblePhase::CoolDown:
        return mixed(theme.panel, theme.bubble, 0.3);
    case BubblePhase::Tensor:
        return theme.ink(Ink::Tensor);
    case BubblePhase::Tail:
        return theme.ink(Ink::Data);
    case BubblePhase::Busy:
        return mixed(theme.panel, theme.ink(Ink::Forward), theme.highContrast ? 1 : 0.45);
    }
    return theme.track;
}

/// Idle phases are all greys: waiting is hatched as in the timeline, cool-down has upright lines.
void fillPhase(QPainter& painter, const QRectF& box, BubblePhase phase, const Theme& theme)
{
    painter.fillRect(box, colourOf(phase, theme));
    if (phase != BubblePhase::PeerWait && phase != BubblePhase::CoolDown)
        return;
    const bool upright = phase == BubblePhase::CoolDown;
    painter.save();
    painter.setClipRect(box);
    painter.setRenderHint(QPainter::Antialiasing, !upright);
    painter.setPen(QPen(theme.bubble, upright ? 1.0 : 1.3));
    const double lean = upright ? 0 : box.height();
    const double pitch = upright ? 3 : 5;
    for (double x = box.left() + 1; x < box.right() + lean; x += pitch)
        painter.drawLine(QPointF(x, box.top()), QPointF(x - lean, box.bottom()));
    painter.restore();
}

/// Of the names of so many stages.
double labelWidth(std::size_t stages)
{
    const QString longest = BubbleBars::tr("stage %1").arg(stages > 0 ? stages - 1 : 0);
    return std::max<double>(scaled(52), QFontMetricsF(fontOf(FontRole::Small))
                                                .horizontalAdvance(longest) +
                                            scaled(8));
}

double valueWidth()
{
    return scaled(96);
}

constexpr double legendLine = 17;

} // namespace

BubbleBars::BubbleBars(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("bubbleBars"));
    setAccessibleName(tr("Bubble by stage"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void BubbleBars::setStages(std::vector<StagePhases> stages, const ClosedForm& closedForm)
{
    m_stages = std::move(stages);
    m_closed.clear();
    QStringList told;
    for (const StagePhases& stage : m_stages) {
        m_closed.push_back(closedPhases(closedForm, stage.stage).bubble);
        told << tr("stage %1: bubble %2, closed form %3")
                      .arg(stage.stage)
                      .arg(percentText(stage.bubble), percentText(m_closed.back()));
    }
    setAccessibleDescription(told.join(QStringLiteral("; ")));
    updateGeometry();
    update();
}

double BubbleBars::rowHeight() const
{
    // A label needs its line; many stages make the panel scroll.
    return m_stages.size() > 6 ? scaled(19) : scaled(24);
}

std::vector<QPointF> BubbleBars::legendPlaces(double width, double& height) const
{
    const QFontMetrics metrics(fontOf(FontRole::Small));
    std::vector<QPointF> places;
    double x = 0;
    double y = 0;
    for (int phase = 0; phase < bubblePhaseCount; ++phase) {
        const double needed =
            scaled(13) + metrics.horizontalAdvance(spoken(toText(BubblePhase(phase))));
        if (x > 0 && x + needed > width) {
            x = 0;
            y += scaled(legendLine);
        }
        places.emplace_back(x, y);
        x += needed + scaled(12);
    }
    height = y + scaled(legendLine);
    return places;
}

QSize BubbleBars::sizeHint() const
{
    return {scaled(300), heightForWidth(std::max(width(), scaled(200)))};
}

QSize BubbleBars::minimumSizeHint() const
{
    return {scaled(200), heightForWidth(std::max(width(), scaled(200)))};
}

int BubbleBars::heightForWidth(int width) const
{
    double legend = 0;
    legendPlaces(width, legend);
    return int(std::ceil(rowsHeight() + scaled(16) + scaled(8) + legend));
}

void BubbleBars::paintStage(QPainter& painter, std::size_t row) const
{
    const Theme& theme = themeOf(palette());
    const StagePhases& stage = m_stages[row];
    const double height = rowHeight();
    const double top = scaled(16) + double(row) * height;
    const double bar = height - scaled(6);
    const QRectF track(labelWidth(m_stages.size()), top + (height - bar) / 2,
                       std::max(20.0, width() - labelWidth(m_stages.size()) - valueWidth()), bar);
    painter.setPen(Qt::NoPen);
    double x = track.left();
    for (int phase = 0; phase < bubblePhaseCount; ++phase) {
        const double length = stage.share[std::size_t(phase)] * track.width();
        if (length >= 0.25)
            fillPhase(painter,
                      QRectF(x, track.top(), std::max(0.75, length - (length > 3 ? 1 : 0)), bar),
                      BubblePhase(phase), theme);
        x += length;
    }
    painter.setFont(fontOf(FontRole::Small));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, top, labelWidth(m_stages.size()), height), Qt::AlignVCenter,
                     tr("stage %1").arg(stage.stage));
    painter.setPen(theme.text);
    painter.drawText(QRectF(width() - valueWidth(), top, valueWidth(), height),
                     Qt::AlignRight | Qt::AlignVCenter,
                     percentText(stage.bubble) + QStringLiteral(" | ") +
                         percentText(m_closed[row]));
}

void BubbleBars::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    double height = 0;
    const std::vector<QPointF> places = legendPlaces(width(), height);
    const double top = scaled(16) + rowsHeight() + scaled(8);
    for (int phase = 0; phase < bubblePhaseCount; ++phase) {
        const QPointF at = places[std::size_t(phase)] + QPointF(0, top);
        const double middle = at.y() + scaled(legendLine) / 2.0;
        fillPhase(painter, QRectF(at.x(), middle - scaled(4), scaled(8), scaled(8)),
                  BubblePhase(phase), theme);
        painter.setPen(theme.muted);
        const double left = at.x() + scaled(13);
        painter.drawText(QPointF(left, middle + metrics.ascent() / 2.0 - 1),
                         metrics.elidedText(spoken(toText(BubblePhase(phase))), Qt::ElideRight,
                                            int(width() - left)));
    }
}

bool BubbleBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const double at = (help->pos().y() - scaled(16)) / rowHeight();
    if (at < 0 || at >= double(m_stages.size())) {
        QToolTip::hideText();
        return true;
    }
    const auto row = std::size_t(at);
    QStringList lines{tr("stage %1, percent of the step").arg(m_stages[row].stage)};
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        lines << QStringLiteral("%1: %2").arg(spoken(toText(BubblePhase(phase))),
                                              percentText(m_stages[row].share[std::size_t(phase)]));
    lines << tr("bubble, over the step without its tail: %1, closed form %2")
                 .arg(percentText(m_stages[row].bubble), percentText(m_closed[row]));
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

void BubbleBars::paintEvent(QPaintEvent*)
{
    if (m_stages.empty())
        return;
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setFont(fontOf(FontRole::Tiny));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, 0, width(), scaled(14)), Qt::AlignRight | Qt::AlignVCenter,
                     tr("bubble | closed form"));
    for (std::size_t row = 0; row < m_stages.size(); ++row)
        paintStage(painter, row);
    paintLegend(painter);
}

} // namespace triaxis::ui
