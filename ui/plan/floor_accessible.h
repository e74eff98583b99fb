#pragma once

#include <QAccessibleWidget>

#include <unordered_map>

namespace triaxis::ui
{

class FloorView;

/// The floor as assistive technology reads it: a list of devices, each described in words, whose
/// value is the focused one.
class FloorAccessible : public QAccessibleWidget
{
public:
    explicit FloorAccessible(FloorView* view);
    ~FloorAccessible() override;

    /// Makes the interface of a FloorView; for QAccessible::installFactory().
    static QAccessibleInterface* make(const QString& className, QObject* object);

    int childCount() const override;
    QAccessibleInterface* child(int index) const override;
    int indexOfChild(const QAccessibleInterface* child) const override;
    QAccessibleInterface* childAt(int x, int y) const override;
    QAccessibleInterface* focusChild() const override;
    QString text(QAccessible::Text kind) const override;

private:
    FloorView* view() const;
    /// Made when they are asked for: a floor may have thousands.
    mutable std::unordered_map<int, QAccessible::Id> m_cells;
};

} // namespace triaxis::ui
