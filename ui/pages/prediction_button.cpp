#include "ui/pages/prediction_button.h"

#include "ui/base/text.h"
#include "ui/panels/panel_tabs.h"
#include "ui/run/run_view.h"

#include <QPushButton>

namespace triaxis::ui
{
namespace
{

constexpr int predictionPage = 4;

void refresh(QPushButton& button, const RunView& view)
{
    const auto& prediction = view.prediction();
    const bool known = prediction && prediction->prediction;
    button.setChecked(known && view.isPredictionShown());
    button.setText(button.isChecked() ? QStringLiteral("Prediction ✓")
                                      : QStringLiteral("Prediction"));
    button.setAccessibleName(QStringLiteral("Prediction over the timeline"));
    if (known)
        button.setToolTip(QStringLiteral("Lay the prediction over the timeline (from %1)")
                              .arg(toQString(prediction->basis)));
    else if (prediction)
        button.setToolTip(QStringLiteral("There is no prediction: see why, and what to do"));
    else
        button.setToolTip(QStringLiteral("The prediction is being worked out"));
}

} // namespace

QPushButton* predictionButton(RunView& view)
{
    auto* button = new QPushButton;
    button->setObjectName(QStringLiteral("predictionShown"));
    button->setCheckable(true);
    QObject::connect(button, &QPushButton::clicked, &view, [button, &view](bool shown) {
        if (view.prediction() && !view.prediction()->prediction)
            view.panels()->showPage(predictionPage);
        else
            view.showPrediction(shown);
        refresh(*button, view);
    });
    QObject::connect(&view, &RunView::predictionChanged, button,
                     [button, &view] { refresh(*button, view); });
    refresh(*button, view);
    return button;
}

} // namespace triaxis::ui
