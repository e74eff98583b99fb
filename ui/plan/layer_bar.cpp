#include "ui/plan/layer_bar.h"

#include "ui/base/text.h"
#include "ui/base/widget_keys.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace triaxis::ui
{
namespace
{

constexpr double grabDistance = 7;

} // namespace

LayerBar::LayerBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("layerBar"));
    setAccessibleName(tr("Layers per stage"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setKeySection(this, QStringLiteral("Plan: form"));
    setWidgetKeys(this,
                  {{{QStringLiteral("Left"), QStringLiteral("Right")},
                    tr("Layer bar: choose a divider")},
                   {{QStringLiteral("Shift+Left"), QStringLiteral("Shift+Right")},
                    tr("Layer bar: move it")}});
}

void LayerBar::setLayers(std::vector<int> layers, Shape shape)
{
    if (layers == m_layers && shape == m_shape)
        return;
    m_layers = std::move(layers);
    m_shape = std::move(shape);
    arrange();
}

void LayerBar::setCosts(std::vector<Cost> times, std::vector<Cost> memory)
{
    if (times == m_times && memory == m_memory)
        return;
    m_times = std::move(times);
    m_memory = std::move(memory);
    say();
    update();
}

void LayerBar::showChunk(int chunk)
{
    m_sums = false;
    m_chunk = chunk;
    arrange();
}

void LayerBar::showSums()
{
    m_sums = true;
    m_chunk = -1;
    arrange();
}

int LayerBar::pipelineStages() const
{
    if (m_shape.stageOf.size() != m_layers.size())
        return int(m_layers.size());
    return m_layers.empty() ? 0
                            : 1 + *std::max_element(m_shape.stageOf.begin(), m_shape.stageOf.end());
}

int LayerBar::chunks() const
{
    return m_layers.empty() ? 1 : int(m_layers.size()) / std::max(1, pipelineStages());
}

void LayerBar::arrange()
{
    const int all = int(m_layers.size());
    const int stages = pipelineStages();
    m_chunk = std::min(m_chunk, chunks() - 1);
    if (m_sums) {
        m_first = 0;
        m_count = stages;
    } else if (m_chunk >= 0) {
        m_first = std::max(0, m_chunk * stages - 1);
        m_count = std::min(all, (m_chunk + 1) * stages + 1) - m_first;
    } else {
        m_first = 0;
        m_count = all;
    }
    m_divider = std::clamp(m_divider, 0, std::max(0, m_count - 2));
    setFocusPolicy(m_count > 1 && !m_sums ? Qt::StrongFocus : Qt::NoFocus);
    updateGeometry();
    say();
    update();
}

int LayerBar::stageAt(int segment) const
{
    if (m_sums || m_shape.stageOf.size() != m_layers.size())
        return m_first + segment;
    return m_shape.stageOf[std::size_t(m_first + segment)];
}

int LayerBar::layersAt(int segment) const
{
    if (!m_sums)
        return m_layers[std::size_t(m_first + segment)];
    int sum = 0;
    for (std::size_t i = 0; i < m_layers.size(); ++i)
        sum += m_shape.stageOf.size() != m_layers.size() || m_shape.stageOf[i] == segment
                   ? m_layers[i]
                   : 0;
    return sum;
}

bool LayerBar::isNeighbour(int segment) const
{
    return m_chunk >= 0 && (m_first + segment) / std::max(1, pipelineStages()) != m_chunk;
}

double LayerBar::leastShare() const
{
    if (m_keptShare >= 0)
        return m_keptShare;
    int total = 0;
    int least = m_count > 0 ? layersAt(0) : 0;
    for (int i = 0; i < m_count; ++i) {
        total += layersAt(i);
        least = std::min(least, layersAt(i));
    }
    const double smallest = double(width()) * least / std::max(1, total);
    if (smallest >= leastSegment())
        return 0;
    return std::min(double(leastSegment()), 0.9 * width() / std::max(1, m_count));
}

double LayerBar::pixelsOfLayer() const
{
    int total = 0;
    for (int i = 0; i < m_count; ++i)
        total += layersAt(i);
    return (width() - leastShare() * m_count) / std::max(1, total);
}

double LayerBar::leftOf(int segment) const
{
    int before = 0;
    for (int i = 0; i < segment; ++i)
        before += layersAt(i);
    return leastShare() * segment + pixelsOfLayer() * before;
}

double LayerBar::dividerX(int index) const
{
    return leftOf(index + 1);
}

int LayerBar::segmentAt(double x) const
{
    for (int i = 0; i < m_count; ++i)
        if (x < leftOf(i + 1))
            return i;
    return m_count - 1;
}

int LayerBar::dividerAt(double x) const
{
    if (m_sums)
        return -1;
    int nearest = -1;
    double distance = grabDistance;
    for (int i = 0; i + 1 < m_count; ++i) {
        const double away = std::abs(x - dividerX(i));
        if (away <= distance) {
            nearest = i;
            distance = away;
        }
    }
    return nearest;
}

QString LayerBar::describe(int segment) const
{
    const int stage = stageAt(segment);
    QString text = tr("stage %1").arg(stage);
    if (!m_sums && chunks() > 1)
        text += tr(", virtual stage %1").arg(m_first + segment);
    text += QStringLiteral(": ") + counted(layersAt(segment), QStringLiteral("layer"));
    const auto add = [&](const std::vector<Cost>& costs, int at) {
        if (at < int(costs.size()) && !costs[std::size_t(at)].text.isEmpty())
            text += QLatin1Char('\n') + costs[std::size_t(at)].text;
    };
    add(m_times, m_sums ? stage : m_first + segment);
    add(m_memory, stage);
    return text;
}

void LayerBar::say()
{
    constexpr int mostSpoken = 64;
    QStringList told;
    for (int i = 0; i < std::min(m_count, mostSpoken); ++i)
        told << describe(i).replace(QLatin1Char('\n'), QStringLiteral(", "));
    setAccessibleDescription(told.join(QStringLiteral("; ")));
}

bool LayerBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip || m_count == 0)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text = describe(segmentAt(help->pos().x()));
    if (!m_sums && m_count > 1)
        text +=
            tr("\nDrag a divider to move layers, or press Shift with Left or Right");
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

void LayerBar::moveDivider(int index, int mine)
{
    const auto at = std::size_t(m_first + index);
    if (m_sums || at + 1 >= m_layers.size())
        return;
    const auto least = [&](std::size_t stage) {
        const bool end = stage == 0 || stage + 1 == m_layers.size();
        return end && m_shape.endsMayBeEmpty && m_layers.size() > 2 ? 0 : 1;
    };
    const int pair = m_layers[at] + m_layers[at + 1];
    if (pair < least(at) + least(at + 1))
        return;
    mine = std::clamp(mine, least(at), pair - least(at + 1));
    if (mine == m_layers[at])
        return;
    std::vector<int> wanted = m_layers;
    wanted[at] = mine;
    wanted[at + 1] = pair - mine;
    emit splitRequested(wanted, m_gesture);
}

void LayerBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_dragged = dividerAt(event->position().x());
    if (m_dragged >= 0) {
        m_divider = m_dragged;
        m_keptShare = leastShare();
    }
    ++m_gesture;
    update();
}

void LayerBar::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (m_dragged < 0 || m_dragged + 1 >= m_count) {
        setCursor(dividerAt(x) >= 0 ? Qt::SplitHCursor : Qt::ArrowCursor);
        return;
    }
    const double layers = (x - leftOf(m_dragged) - leastShare()) / std::max(1e-6, pixelsOfLayer());
    moveDivider(m_dragged, int(std::lround(std::clamp(layers, -1e6, 1e6))));
}

void LayerBar::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged = -1;
    m_keptShare = -1;
    update();
}

void LayerBar::chooseDivider(int index)
{
    m_divider = std::clamp(index, 0, std::max(0, m_count - 2));
    emit dividerChosen(int(dividerX(m_divider)));
    update();
}

void LayerBar::keyPressEvent(QKeyEvent* event)
{
    if (m_count < 2 || m_sums) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool moves = event->modifiers() & Qt::ShiftModifier;
    switch (event->key()) {
    case Qt::Key_Home:
        chooseDivider(0);
        return;
    case Qt::Key_End:
        chooseDivider(m_count - 2);
        return;
    case Qt::Key_Left:
    case Qt::Key_Right:
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    const int direction = event->key() == Qt::Key_Left ? -1 : 1;
    if (moves) {
        ++m_gesture;
        moveDivider(m_divider, layersAt(m_divider) + direction);
    } else {
        chooseDivider(m_divider + direction);
    }
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
