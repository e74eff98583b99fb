#include "ui/widgets/navigation_rail.h"

#include "ui/theme/fonts.h"
#include "ui/theme/icons.h"
#include "ui/theme/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{

NavigationRail::NavigationRail(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("rail"));
    setAccessibleName(tr("Pages"));
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
}

void NavigationRail::addPage(const QString& icon, const QString& name, const QString& hint)
{
    m_entries.push_back({icon, name, hint, false});
    update();
}

void NavigationRail::setFoot(const QString& icon, const QString& name)
{
    m_foot = {icon, name, {}, false};
    update();
}

void NavigationRail::setCurrent(int index)
{
    m_current = index;
    m_focused = index;
    setAccessibleDescription(m_entries[std::size_t(index)].name);
    update();
}

void NavigationRail::setActive(int index, bool active)
{
    m_entries[std::size_t(index)].active = active;
    update();
}

QSize NavigationRail::sizeHint() const
{
    const QFontMetricsF metrics(fontOf(FontRole::SmallBold));
    double widest = metrics.horizontalAdvance(m_foot.name);
    for (const Entry& entry : m_entries)
        widest = std::max(widest, metrics.horizontalAdvance(entry.name));
    return {std::max(int(scaled(64)), int(std::ceil(widest)) + 12), 300};
}

QRectF NavigationRail::box(int index) const
{
    const double side = scaled(52);
    const double left = (width() - 1 - side) / 2.0;
    if (index == foot())
        return {left, height() - side - 10, side, side};
    return {left, 12.0 + index * scaled(64), side, side};
}

int NavigationRail::entryAt(const QPointF& position) const
{
    for (int i = 0; i <= foot(); ++i) {
        if (box(i).contains(position))
            return i;
    }
    return -1;
}

void NavigationRail::choose(int index)
{
    if (index == foot())
        emit footChosen();
    else if (index >= 0)
        emit pageChosen(index);
}

void NavigationRail::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(rect(), theme.rail);
    painter.fillRect(QRectF(width() - 1, 0, 1, height()), theme.line);
    for (int i = 0; i <= foot(); ++i) {
        const Entry& entry = i == foot() ? m_foot : m_entries[std::size_t(i)];
        if (entry.name.isEmpty())
            continue;
        const bool current = i == m_current;
        const QRectF area = box(i);
        if (current || i == m_hovered) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(current ? theme.accentSoft : theme.hover);
            painter.drawRoundedRect(area, 6, 6);
        }
        if (hasFocus() && m_focusVisible && i == m_focused) {
            painter.setPen(QPen(theme.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(area.adjusted(0.75, 0.75, -0.75, -0.75), 6, 6);
        }
        const QColor colour = current ? theme.accent : theme.muted;
        const double icon = scaled(20);
        paintIcon(painter, {area.center().x() - icon / 2, area.top() + scaled(8), icon, icon},
                  entry.icon, colour);
        painter.setFont(fontOf(current ? FontRole::SmallBold : FontRole::Small));
        painter.setPen(colour);
        painter.drawText(QRectF(area.left() - 6, area.top() + scaled(31), area.width() + 12,
                                scaled(17)),
                         Qt::AlignHCenter | Qt::AlignVCenter, entry.name);
        if (entry.active) {
            painter.setPen(QPen(theme.rail, 2));
            painter.setBrush(theme.good);
            painter.drawEllipse(QPointF(area.center().x() + icon / 2 + 1, area.top() + scaled(9)),
                                4.5, 4.5);
        }
    }
}

bool NavigationRail::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const int index = entryAt(help->pos());
        if (index >= 0 && index < foot())
            QToolTip::showText(help->globalPos(), m_entries[std::size_t(index)].hint, this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void NavigationRail::mouseMoveEvent(QMouseEvent* event)
{
    const int index = entryAt(event->position());
    if (index != m_hovered) {
        m_hovered = index;
        setCursor(index < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
        update();
    }
}

void NavigationRail::leaveEvent(QEvent* event)
{
    m_hovered = -1;
    update();
    QWidget::leaveEvent(event);
}

void NavigationRail::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(entryAt(event->position()));
}

void NavigationRail::keyPressEvent(QKeyEvent* event)
{
    const int last = m_foot.name.isEmpty() ? foot() - 1 : foot();
    m_focusVisible = true;
    switch (event->key()) {
    case Qt::Key_Down:
        m_focused = std::min(m_focused + 1, last);
        break;
    case Qt::Key_Up:
        m_focused = std::max(m_focused - 1, 0);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        choose(m_focused);
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    update();
}

void NavigationRail::focusInEvent(QFocusEvent* event)
{
    m_focused = m_current;
    m_focusVisible = event->reason() == Qt::TabFocusReason ||
                     event->reason() == Qt::BacktabFocusReason;
    QWidget::focusInEvent(event);
}

} // namespace triaxis::ui
