#include "ui/plan/floor_accessible.h"

#include "ui/plan/floor_view.h"

namespace triaxis::ui
{

FloorAccessible::FloorAccessible(FloorView* view)
    : AccessibleList(view, QAccessible::List, QAccessible::ListItem, view->tools())
{
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

int FloorAccessible::itemCount() const
{
    return view()->index().devices();
}

QRect FloorAccessible::itemRect(int item) const
{
    return view()->cellOnScreen(item);
}

QString FloorAccessible::itemText(int item, QAccessible::Text kind) const
{
    return kind == QAccessible::Name ? view()->describe(item) : QString();
}

int FloorAccessible::focusedItem() const
{
    return view()->selectedDevice().value_or(-1);
}

int FloorAccessible::itemAt(const QPoint& position) const
{
    const FloorSpot spot = view()->spotAt(position);
    return spot.kind == FloorSpot::Kind::Device ? spot.device : -1;
}

QString FloorAccessible::value() const
{
    return view()->accessibleDescription();
}

} // namespace triaxis::ui
