#pragma once

#include "ui/widgets/accessible_list.h"

namespace triaxis::ui
{

class LaneView;

/// The timeline as a table of the ranks' lanes, two rows a rank (compute, then communication),
/// whose value is the span that has the focus, or how many spans the window shows. The rows follow
/// the lanes of the view.
class LaneViewAccessible : public AccessibleList
{
public:
    explicit LaneViewAccessible(LaneView* view);

    /// Makes the interface of a LaneView; for QAccessible::installFactory().
    static QAccessibleInterface* make(const QString& className, QObject* object);

    int itemCount() const override;
    QRect itemRect(int item) const override;
    QString itemText(int item, QAccessible::Text kind) const override;
    /// The lane with the focused span; −1 without one.
    int focusedItem() const override;

protected:
    QString value() const override;

private:
    LaneView* view() const;
    QString name(int item) const;
    QString spansShown(int item) const;
};

} // namespace triaxis::ui
