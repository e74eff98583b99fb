#include "ui/widgets/follow_action.h"

#include <QAction>
#include <QPushButton>

namespace triaxis::ui
{
namespace
{

void copy(QAbstractButton* button, const QAction* action)
{
    if (qobject_cast<QPushButton*>(button))
        button->setText(action->text());
    button->setAccessibleName(action->text());
    button->setToolTip(action->toolTip());
    button->setEnabled(action->isEnabled());
    button->setCheckable(action->isCheckable());
    button->setChecked(action->isChecked());
}

} // namespace

void followAction(QAbstractButton* button, QAction* action)
{
    copy(button, action);
    QObject::connect(action, &QAction::changed, button, [=] { copy(button, action); });
    QObject::connect(button, &QAbstractButton::clicked, action, [=] {
        action->trigger();
        // One of a group stays chosen when its button is pressed again.
        button->setChecked(action->isChecked());
    });
}

} // namespace triaxis::ui
