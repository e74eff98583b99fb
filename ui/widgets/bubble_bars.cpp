#include "ui/widgets/bubble_bars.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <array>

namespace triaxis::ui
{
namespace
{

struct Part
{
    const char* name;
    double BubbleBars::Stage::*share;
};

constexpr std::array<Part, 4> parts{{{"warm-up", &BubbleBars::Stage::warmUp},
                                     {"waiting for a peer", &BubbleBars::Stage::peerWait},
                                     {"transfer", &BubbleBars::Stage::transfer},
                                     {"cool-down", &BubbleBars::Stage::coolDown}}};

QColor colourOf(std::size_t part, const Theme& theme)
{
    switch (part) {
    case 0:
        return theme.bubble;
    case 1:
        return mixed(theme.panel, theme.bubble, 0.62);
    case 2:
        return theme.ink(Ink::Pipeline);
    default:
        return mixed(theme.panel, theme.bubble, 0.36);
    }
}

double labelWidth()
{
    return scaled(56);
}

double valueWidth()
{
    return scaled(112);
}

} // namespace

BubbleBars::BubbleBars(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("bubbleBars"));
    setAccessibleName(QStringLiteral("Bubble by stage"));
}

void BubbleBars::setStages(std::vector<Stage> stages, double closedForm)
{
    if (stages == m_stages && closedForm == m_closedForm)
        return;
    m_stages = std::move(stages);
    m_closedForm = closedForm;
    QStringList spoken;
    for (std::size_t i = 0; i < m_stages.size(); ++i)
        spoken << QStringLiteral("stage %1 %2").arg(i).arg(
            toQString(units::percent(m_stages[i].bubble())));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

double BubbleBars::legendHeight() const
{
    return scaled(24);
}

double BubbleBars::rowHeight() const
{
    const double room = height() - legendHeight();
    return std::clamp<double>(room / std::max<std::size_t>(1, m_stages.size()), 4, scaled(30));
}

QSize BubbleBars::sizeHint() const
{
    const int rows = std::clamp(int(m_stages.size()), 1, 8);
    return {scaled(300), rows * scaled(26) + int(legendHeight())};
}

QSize BubbleBars::minimumSizeHint() const
{
    return {scaled(200), scaled(26) * std::clamp(int(m_stages.size()), 1, 3) + int(legendHeight())};
}

void BubbleBars::paintStage(QPainter& painter, int stage, double scale) const
{
    const Theme& theme = themeOf(palette());
    const Stage& shares = m_stages[std::size_t(stage)];
    const double row = rowHeight();
    const double top = stage * row;
    const double bar = std::clamp(row - 8, 3.0, double(scaled(16)));
    const QRectF track(labelWidth(), top + (row - bar) / 2,
                       std::max(20.0, width() - labelWidth() - valueWidth()), bar);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.track);
    painter.drawRoundedRect(track, 3, 3);
    double x = track.left();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double length = shares.*(parts[i].share) / scale * track.width();
        if (length < 0.25)
            continue;
        painter.setBrush(colourOf(i, theme));
        painter.drawRoundedRect(QRectF(x, track.top(), std::max(1.0, length - 1), bar), 2, 2);
        x += length;
    }
    if (m_closedForm >= 0) {
        const double mark = track.left() + m_closedForm / scale * track.width();
        painter.fillRect(QRectF(mark - 0.75, track.top() - 3, 1.5, bar + 6), theme.text);
    }
    painter.setFont(fontOf(FontRole::Small));
    if (row < painter.fontMetrics().height() - 2)
        return;
    painter.setPen(theme.muted);
    painter.drawText(QRectF(0, top, labelWidth(), row), Qt::AlignVCenter,
                     QStringLiteral("stage %1").arg(stage));
    QString value = toQString(units::percent(shares.bubble()));
    if (m_closedForm >= 0)
        value += QStringLiteral("  |  ") + toQString(units::percent(m_closedForm));
    painter.setPen(theme.text);
    painter.drawText(QRectF(width() - valueWidth(), top, valueWidth(), row),
                     Qt::AlignRight | Qt::AlignVCenter, value);
}

void BubbleBars::paintLegend(QPainter& painter) const
{
    const Theme& theme = themeOf(palette());
    painter.setFont(fontOf(FontRole::Small));
    const QFontMetrics metrics = painter.fontMetrics();
    const double middle = std::min<double>(height() - legendHeight() / 2,
                                           rowHeight() * double(m_stages.size()) +
                                               legendHeight() / 2 + 2);
    double x = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const QString name = QString::fromLatin1(parts[i].name);
        if (x + 14 + metrics.horizontalAdvance(name) > width())
            break;
        painter.setPen(Qt::NoPen);
        painter.setBrush(colourOf(i, theme));
        painter.drawRoundedRect(QRectF(x, middle - 4, 8, 8), 2, 2);
        painter.setPen(theme.muted);
        painter.drawText(QPointF(x + 13, middle + metrics.ascent() / 2.0 - 1), name);
        x += 13 + metrics.horizontalAdvance(name) + 12;
    }
}

bool BubbleBars::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto stage = std::size_t(std::max(0.0, help->pos().y() / rowHeight()));
    if (stage >= m_stages.size()) {
        QToolTip::hideText();
        return true;
    }
    QStringList lines{QStringLiteral("stage %1").arg(stage)};
    for (const Part& part : parts)
        lines << QStringLiteral("%1: %2").arg(QLatin1String(part.name),
                                              toQString(units::percent(m_stages[stage].*(part.share))));
    if (m_closedForm >= 0)
        lines << QStringLiteral("closed form (black mark): %1")
                     .arg(toQString(units::percent(m_closedForm)));
    lines << QStringLiteral("shares of the step without its tail");
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

void BubbleBars::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (m_stages.empty()) {
        painter.setPen(theme.muted);
        painter.setFont(fontOf(FontRole::Small));
        painter.drawText(rect(), Qt::AlignCenter, QStringLiteral("Measured from the first step on"));
        return;
    }
    double scale = std::max(0.05, m_closedForm);
    for (const Stage& stage : m_stages)
        scale = std::max(scale, stage.bubble());
    scale = std::min(1.0, scale * 1.15);
    for (int stage = 0; stage < int(m_stages.size()); ++stage)
        paintStage(painter, stage, scale);
    paintLegend(painter);
}

} // namespace triaxis::ui
