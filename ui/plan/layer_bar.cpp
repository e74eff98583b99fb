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

constexpr double gap = 4;        ///< between segments, with the divider in its middle
constexpr double grabDistance = 7;

} // namespace

LayerBar::LayerBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("layerBar"));
    setAccessibleName(QStringLiteral("Layers per stage"));
    setToolTip(QStringLiteral("Drag a divider to move layers between stages, or focus it and press "
                              "Shift with Left or Right"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void LayerBar::setLayers(std::vector<int> layers)
{
    m_layers = std::move(layers);
    m_divider = std::clamp(m_divider, 0, std::max(0, int(m_layers.size()) - 2));
    setFocusPolicy(m_layers.size() > 1 ? Qt::StrongFocus : Qt::NoFocus);
    QStringList spoken;
    for (std::size_t stage = 0; stage < m_layers.size(); ++stage)
        spoken << QStringLiteral("stage %1: %2").arg(stage).arg(m_layers[stage]);
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

QSize LayerBar::sizeHint() const
{
    return {scaled(300), scaled(26)};
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
    const double left = stage == 0 ? 0 : dividerX(stage - 1) + gap / 2;
    const double right = last ? width() : dividerX(stage) - gap / 2;
    return {left, 2, std::max(1.0, right - left), height() - 4.0};
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
    }
    for (int i = 0; i + 1 < int(m_layers.size()); ++i) {
        const bool marked = i == m_dragged || (hasFocus() && i == m_divider);
        painter.setPen(Qt::NoPen);
        painter.setBrush(marked ? theme.accent : theme.muted);
        painter.drawRoundedRect(QRectF(dividerX(i) - 2, 0, 4, height()), 2, 2);
    }
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
