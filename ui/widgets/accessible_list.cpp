#include "ui/widgets/accessible_list.h"

#include <QAbstractScrollArea>
#include <QWindow>

namespace triaxis::ui
{
namespace
{

/// One item. The list deletes it, so that it never outlives it.
class Item : public QAccessibleInterface
{
public:
    Item(const AccessibleList* list, int index) : m_list(list), m_index(index) {}

    int index() const { return m_index; }
    bool isValid() const override { return m_list->isValid() && m_index < m_list->itemCount(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_list->window(); }
    QAccessibleInterface* parent() const override
    {
        return QAccessible::queryAccessibleInterface(m_list->object());
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return m_list->itemRole(); }
    void setText(QAccessible::Text, const QString&) override {}

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect box = m_list->itemRect(m_index);
        return {m_list->area()->viewport()->mapToGlobal(box.topLeft()), box.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.selectable = m_list->isSelectable();
        state.readOnly = !m_list->isSelectable();
        state.focusable = true;
        state.selected = m_list->focusedItem() == m_index;
        state.focused = state.selected && m_list->area()->hasFocus();
        state.offscreen = !m_list->area()->viewport()->rect().intersects(m_list->itemRect(m_index));
        return state;
    }

    QString text(QAccessible::Text kind) const override
    {
        return isValid() ? m_list->itemText(m_index, kind) : QString();
    }

private:
    const AccessibleList* m_list;
    int m_index;
};

} // namespace

AccessibleList::AccessibleList(QAbstractScrollArea* area, QAccessible::Role role,
                               QAccessible::Role itemRole, QWidget* last)
    : QAccessibleWidget(area, role), m_itemRole(itemRole), m_last(last)
{
}

AccessibleList::~AccessibleList()
{
    for (const auto& [index, id] : m_items)
        QAccessible::deleteAccessibleInterface(id);
}

QAbstractScrollArea* AccessibleList::area() const
{
    return static_cast<QAbstractScrollArea*>(object());
}

int AccessibleList::childCount() const
{
    return itemCount() + (m_last != nullptr ? 1 : 0);
}

QAccessibleInterface* AccessibleList::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    if (index >= itemCount())
        return QAccessible::queryAccessibleInterface(m_last);
    QAccessible::Id& id = m_items[index];
    if (id == 0)
        id = QAccessible::registerAccessibleInterface(new Item(this, index));
    return QAccessible::accessibleInterface(id);
}

int AccessibleList::indexOfChild(const QAccessibleInterface* child) const
{
    if (const auto* item = dynamic_cast<const Item*>(child))
        return item->index() < itemCount() ? item->index() : -1;
    return child != nullptr && m_last != nullptr && child->object() == m_last ? itemCount() : -1;
}

int AccessibleList::itemAt(const QPoint& position) const
{
    for (int i = 0; i < itemCount(); ++i)
        if (itemRect(i).contains(position))
            return i;
    return -1;
}

QAccessibleInterface* AccessibleList::childAt(int x, int y) const
{
    return child(itemAt(area()->viewport()->mapFromGlobal(QPoint(x, y))));
}

QAccessibleInterface* AccessibleList::focusChild() const
{
    return child(focusedItem());
}

QString AccessibleList::text(QAccessible::Text kind) const
{
    return kind == QAccessible::Value ? value() : QAccessibleWidget::text(kind);
}

} // namespace triaxis::ui
