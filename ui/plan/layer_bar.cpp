#include "ui/plan/layer_bar.h"

#include "ui/base/text.h"
#include "ui/theme/fonts.h"
#include "ui/theme/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis::ui
{
namespace
{

constexpr double widestGap = 4; ///< between segments, with the divider in its middle
constexpr double grabDistance = 7;
constexpr double costHeight = 4; ///< of each of the two bars below a stage
constexpr double costRoom = 14;

} // namespace

LayerBar::LayerBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("layerBar"));
    setAccessibleName(QStringLiteral("Layers per stage"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LayerBar::setLayers(std::vector<int> layers)
{
    m_layers = std::move(layers);
    m_divider = std::clamp(m_divider, 0, std::max(0, int(m_layers.size()) - 2));
    setFocusPolicy(m_layers.size() > 1 ? Qt::StrongFocus : Qt::NoFocus);
    say();
    update();
}

void LayerBar::setCosts(std::vector<double> times, std::vector<double> memory)
{
    m_times = std::move(times);
    m_memory = std::move(memory);
    say();
    update();
}

void LayerBar::say()
{
    const auto percent = [](double share) {
        return QStringLiteral("%1 %").arg(std::lround(100 * share));
    };
    QStringList spoken;
    for (std::size_t stage = 0; stage < m_layers.size(); ++stage) {
        QString text = QStringLiteral("stage %1: %2")
                           .arg(stage)
                           .arg(counted(m_layers[stage], QStringLiteral("layer")));
        if (m_times.size() == m_layers.size())
            text += QStringLiteral(", %1 of the slowest stage's time").arg(percent(m_times[stage]));
        if (m_memory.size() == m_layers.size())
            text += QStringLiteral(", %1 of the memory").arg(percent(m_memory[stage]));
        spoken << text;
    }
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    constexpr int mostLines = 20;
    const QString how = QStringLiteral("Drag a divider to move layers between stages, or focus it "
                                       "and press Shift with Left or Right. Below: time of a "
                                       "microbatch, and memory");
    setToolTip(
        spoken.size() > mostLines ? how : how + QLatin1Char('\n') + spoken.join(QLatin1Char('\n')));
}

QSize LayerBar::sizeHint() const
{
    return {scaled(300), scaled(26) + int(costRoom)};
}

int LayerBar::total() const
{
    return std::accumulate(m_layers.begin(), m_layers.end(), 0);
}

int LayerBar::layersBefore(int index) const
{
    return std::accumulate(m_layers.begin(), m_layers.begin() + index + 1, 0);
}

double LayerBar::dividerX(int index) const
{
    return width() * double(layersBefore(index)) / std::max(1, total());
}

QRectF LayerBar::segment(int stage) const
{
    const bool last = stage + 1 == int(m_layers.size());
    const double gap = std::min(widestGap, 0.2 * width() / double(m_layers.size()));
    const double left = stage == 0 ? 0 : dividerX(stage - 1) + gap / 2;
    const double right = last ? width() : dividerX(stage) - gap / 2;
    return {left, 2, std::max(1.0, right - left), height() - 4.0 - costRoom};
}

int LayerBar::dividerAt(double x) const
{
    for (int i = 0; i + 1 < int(m_layers.size()); ++i) {
        if (std::abs(x - dividerX(i)) <= grabDistance)
            return i;
    }
    return -1;
}

QString LayerBar::textOf(int stage, double width) const
{
    const QFontMetrics metrics(fontOf(FontRole::SmallBold));
    const int layers = m_layers[std::size_t(stage)];
    QString extra;
    if (stage == 0)
        extra += QStringLiteral(" + embedding");
    if (stage + 1 == int(m_layers.size()))
        extra += QStringLiteral(" + head");
    const QString plain = counted(layers, QStringLiteral("layer"));
    for (const QString& text : {plain + extra, plain, QString::number(layers)}) {
        if (metrics.horizontalAdvance(text) + 10 <= width)
            return text;
    }
    return {};
}

void LayerBar::paintEvent(QPaintEvent*)
{
    if (m_layers.empty())
        return;
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(fontOf(FontRole::SmallBold));
    for (int stage = 0; stage < int(m_layers.size()); ++stage) {
        const QRectF box = segment(stage);
        const QColor fill = theme.stage(stage);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(box, 4, 4);
        painter.setPen(labelOn(fill));
        painter.drawText(box, Qt::AlignCenter, textOf(stage, box.width()));
        paintCosts(painter, stage);
    }
    // Between very narrow stages only the gap is left of a divider.
    const bool narrow = width() < 14 * int(m_layers.size());
    for (int i = 0; i + 1 < int(m_layers.size()); ++i) {
        const bool marked = i == m_dragged || (hasFocus() && i == m_divider);
        if (narrow && !marked)
            continue;
        painter.setPen(Qt::NoPen);
        painter.setBrush(marked ? theme.accent : theme.muted);
        painter.drawRoundedRect(QRectF(dividerX(i) - 2, 0, 4, height() - costRoom), 2, 2);
    }
}

void LayerBar::paintCosts(QPainter& painter, int stage) const
{
    const Theme& theme = themeOf(palette());
    const QRectF above = segment(stage);
    const auto bar = [&](double top, double share, const QColor& colour) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.track);
        const QRectF track(above.left(), top, above.width(), costHeight);
        painter.drawRoundedRect(track, 2, 2);
        painter.setBrush(colour);
        painter.drawRoundedRect(
            QRectF(track.left(), top, track.width() * std::clamp(share, 0.0, 1.0), costHeight), 2,
            2);
    };
    const auto at = std::size_t(stage);
    const double top = above.bottom() + 3;
    if (m_times.size() == m_layers.size())
        bar(top, m_times[at], theme.accent);
    if (m_memory.size() == m_layers.size())
        bar(top + costHeight + 2, m_memory[at],
            m_memory[at] > 1 ? theme.danger : theme.heat(m_memory[at]));
}

void LayerBar::moveDivider(int index, int before)
{
    const int start = index == 0 ? 0 : layersBefore(index - 1);
    const int pair = m_layers[std::size_t(index)] + m_layers[std::size_t(index) + 1];
    if (pair < 2)
        return;
    const int mine = std::clamp(before - start, 1, pair - 1);
    if (mine == m_layers[std::size_t(index)])
        return;
    std::vector<int> wanted = m_layers;
    wanted[std::size_t(index)] = mine;
    wanted[std::size_t(index) + 1] = pair - mine;
    emit splitRequested(wanted, m_gesture);
}

void LayerBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = dividerAt(event->position().x());
    if (m_dragged >= 0)
        m_divider = m_dragged;
    ++m_gesture;
    update();
}

void LayerBar::mouseMoveEvent(QMouseEvent* event)
{
    if (m_dragged < 0 || m_dragged + 1 >= int(m_layers.size())) {
        setCursor(dividerAt(event->position().x()) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        return;
    }
    moveDivider(m_dragged, int(std::lround(event->position().x() / width() * total())));
}

void LayerBar::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged = -1;
    update();
}

void LayerBar::keyPressEvent(QKeyEvent* event)
{
    const int direction = event->key() == Qt::Key_Left ? -1 : event->key() == Qt::Key_Right ? 1 : 0;
    if (direction == 0 || m_layers.size() < 2) {
        QWidget::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & Qt::ShiftModifier) {
        ++m_gesture;
        moveDivider(m_divider, layersBefore(m_divider) + direction);
    } else {
        m_divider = std::clamp(m_divider + direction, 0, int(m_layers.size()) - 2);
    }
    update();
}

void LayerBar::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void LayerBar::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

} // namespace triaxis::ui
