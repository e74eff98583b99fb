#pragma once

#include "ui/widgets/accessible_list.h"

namespace triaxis::ui
{

class FloorView;

/// The floor as a list of devices, each described in words, whose value is the focused one; the
/// brushes follow them.
class FloorAccessible : public AccessibleList
{
public:
    explicit FloorAccessible(FloorView* view);

    /// Makes the interface of a FloorView; for QAccessible::installFactory().
    static QAccessibleInterface* make(const QString& className, QObject* object);

    int itemCount() const override;
    QRect itemRect(int item) const override;
    QString itemText(int item, QAccessible::Text kind) const override;
    int focusedItem() const override;
    bool isSelectable() const override { return true; }
    int itemAt(const QPoint& position) const override;

protected:
    QString value() const override;

private:
    FloorView* view() const;
};

} // namespace triaxis::ui
