#pragma once

#include "ui/widgets/lane_statistics.h"

#include <QAccessibleWidget>

#include <vector>

namespace triaxis::ui
{

class LaneView;

/// The timeline as assistive technology reads it: a table of the ranks' lanes, two rows a rank
/// (compute, then communication), whose value is the span that has the focus, or how many spans the
/// window shows. The rows follow the lanes of the view; only those of ranks that exist are handed
/// out.
class LaneViewAccessible : public QAccessibleWidget
{
public:
    explicit LaneViewAccessible(LaneView* view);
    ~LaneViewAccessible() override;

    /// Makes the interface of a LaneView; for QAccessible::installFactory().
    static QAccessibleInterface* make(const QString& className, QObject* object);

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override;

    /// Of the lane with the focused span; −1 without one.
    int focusedLane() const;

private:
    LaneView* view() const;

    mutable std::vector<QAccessible::Id> m_lanes; ///< made when asked for; 0: not yet
};

} // namespace triaxis::ui
