#include "ui/plan/floor_accessible.h"

#include "ui/plan/floor_view.h"

#include <QPointer>
#include <QWindow>

namespace triaxis::ui
{
namespace
{

/// One device.
class CellAccessible : public QAccessibleInterface
{
public:
    CellAccessible(FloorView* view, int device) : m_view(view), m_device(device) {}

    int device() const { return m_device; }
    bool isValid() const override { return m_view && m_device < m_view->index().devices(); }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override
    {
        return m_view ? m_view->QWidget::window()->windowHandle() : nullptr;
    }
    QAccessibleInterface* parent() const override
    {
        return m_view ? QAccessible::queryAccessibleInterface(m_view) : nullptr;
    }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    void setText(QAccessible::Text, const QString&) override {}

    QRect rect() const override
    {
        if (!isValid())
            return {};
        const QRect cell = m_view->cellOnScreen(m_device);
        return {m_view->viewport()->mapToGlobal(cell.topLeft()), cell.size()};
    }

    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        state.selectable = true;
        state.focusable = true;
        state.selected = m_view->selectedDevice() == m_device;
        state.focused = state.selected && m_view->hasFocus();
        state.offscreen = !m_view->viewport()->rect().intersects(m_view->cellOnScreen(m_device));
        return state;
    }

    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? m_view->describe(m_device) : QString();
    }

private:
    QPointer<FloorView> m_view;
    int m_device;
};

} // namespace

FloorAccessible::FloorAccessible(FloorView* view) : QAccessibleWidget(view, QAccessible::List) {}

FloorAccessible::~FloorAccessible()
{
    for (const auto& [device, id] : m_cells)
        QAccessible::deleteAccessibleInterface(id);
}

QAccessibleInterface* FloorAccessible::make(const QString&, QObject* object)
{
    auto* view = qobject_cast<FloorView*>(object);
    return view ? new FloorAccessible(view) : nullptr;
}

FloorView* FloorAccessible::view() const
{
    return static_cast<FloorView*>(object());
}

int FloorAccessible::childCount() const
{
    return view()->index().devices() + 1; // and the brushes
}

QAccessibleInterface* FloorAccessible::child(int index) const
{
    if (index < 0 || index >= childCount())
        return nullptr;
    if (index == childCount() - 1)
        return QAccessible::queryAccessibleInterface(view()->tools());
    QAccessible::Id& id = m_cells[index];
    if (id == 0)
        id = QAccessible::registerAccessibleInterface(new CellAccessible(view(), index));
    return QAccessible::accessibleInterface(id);
}

int FloorAccessible::indexOfChild(const QAccessibleInterface* child) const
{
    const auto* cell = dynamic_cast<const CellAccessible*>(child);
    if (cell)
        return cell->device() < childCount() - 1 ? cell->device() : -1;
    return child && child->object() == view()->tools() ? childCount() - 1 : -1;
}

QAccessibleInterface* FloorAccessible::childAt(int x, int y) const
{
    const FloorSpot spot = view()->spotAt(view()->viewport()->mapFromGlobal(QPoint(x, y)));
    return spot.kind == FloorSpot::Kind::Device ? child(spot.device) : nullptr;
}

QAccessibleInterface* FloorAccessible::focusChild() const
{
    return child(view()->selectedDevice().value_or(-1));
}

QString FloorAccessible::text(QAccessible::Text kind) const
{
    if (kind != QAccessible::Value)
        return QAccessibleWidget::text(kind);
    return view()->accessibleDescription();
}

} // namespace triaxis::ui
