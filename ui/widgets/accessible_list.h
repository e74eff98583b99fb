#pragma once

#include <QAccessibleWidget>

#include <unordered_map>

class QAbstractScrollArea;

namespace triaxis::ui
{

/// A painted widget as assistive technology reads it: a list of items, each described in words. The
/// items are made when they are asked for, since there may be thousands.
class AccessibleList : public QAccessibleWidget
{
public:
    ~AccessibleList() override;

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override;

    // What the items are.
    virtual int itemCount() const = 0;
    virtual QRect itemRect(int item) const = 0; ///< in the viewport
    virtual QString itemText(int item, QAccessible::Text kind) const = 0;
    virtual int focusedItem() const = 0; ///< −1: none
    virtual bool isSelectable() const { return false; }
    virtual int itemAt(const QPoint& position) const; ///< in the viewport; −1: none

    QAccessible::Role itemRole() const { return m_itemRole; }
    QAbstractScrollArea* area() const;

protected:
    /// `last`: a widget in it that follows the items; null: none.
    AccessibleList(QAbstractScrollArea* area, QAccessible::Role role, QAccessible::Role itemRole,
                   QWidget* last = nullptr);
    /// What the whole says of itself.
    virtual QString value() const = 0;

private:
    QAccessible::Role m_itemRole;
    QWidget* m_last;
    mutable std::unordered_map<int, QAccessible::Id> m_items;
};

} // namespace triaxis::ui
