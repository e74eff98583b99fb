#include "ui/pages/prediction_button.h"

#include "ui/base/words.h"
#include "ui/run/run_view.h"

#include <QAction>
#include <QPushButton>

namespace triaxis::ui
{
namespace
{

void refresh(QPushButton& button, const QAction& action)
{
    button.setEnabled(action.isEnabled());
    button.setChecked(action.isChecked());
    button.setText(action.isChecked() ? Words::tr("Prediction ✓") : Words::tr("Prediction"));
    const QString keys = action.shortcut().toString(QKeySequence::NativeText);
    button.setToolTip(keys.isEmpty() ? action.toolTip()
                                     : QStringLiteral("%1 (%2)").arg(action.toolTip(), keys));
}

} // namespace

QPushButton* predictionButton(RunView& view)
{
    auto* button = new QPushButton;
    button->setObjectName(QStringLiteral("predictionShown"));
    button->setAccessibleName(Words::tr("Prediction over the timeline"));
    button->setCheckable(true);
    QAction* action = view.predictionAction();
    QObject::connect(button, &QPushButton::clicked, action, [button, action] {
        action->trigger();
        refresh(*button, *action);
    });
    QObject::connect(action, &QAction::changed, button,
                     [button, action] { refresh(*button, *action); });
    refresh(*button, *action);
    return button;
}

} // namespace triaxis::ui
