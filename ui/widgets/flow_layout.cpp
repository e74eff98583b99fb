#include "ui/widgets/flow_layout.h"

#include <QWidget>

#include <algorithm>

namespace triaxis::ui
{

FlowLayout::FlowLayout(int spacing, QWidget* parent) : QLayout(parent)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout()
{
    qDeleteAll(m_items);
}

void FlowLayout::insertWidget(int index, QWidget* widget)
{
    addChildWidget(widget);
    m_items.insert(index, new QWidgetItem(widget));
    invalidate();
}

void FlowLayout::addItem(QLayoutItem* item)
{
    m_items.append(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const
{
    return m_items.value(index, nullptr);
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

int FlowLayout::heightForWidth(int width) const
{
    return lay(QRect(0, 0, width, 0), false);
}

QSize FlowLayout::sizeHint() const
{
    int width = 0;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            width += item->sizeHint().width() + spacing();
    return {width, minimumSize().height()};
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        if (!item->isEmpty())
            size = size.expandedTo(item->minimumSize());
    return size;
}

void FlowLayout::setGeometry(const QRect& rect)
{
    QLayout::setGeometry(rect);
    lay(rect, true);
}

int FlowLayout::lay(const QRect& rect, bool place) const
{
    int x = rect.left();
    int y = rect.top();
    int line = 0; // height of the line
    for (QLayoutItem* item : m_items) {
        if (item->isEmpty())
            continue;
        const QSize hint = item->sizeHint();
        const int width = std::min(hint.width(), rect.width());
        if (x > rect.left() && x + width > rect.left() + rect.width()) {
            x = rect.left();
            y += line + spacing();
            line = 0;
        }
        if (place)
            item->setGeometry(QRect(x, y, width, hint.height()));
        x += width + spacing();
        line = std::max(line, hint.height());
    }
    return y + line - rect.top();
}

} // namespace triaxis::ui
