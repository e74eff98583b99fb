#include "ui/panels/loss_panel.h"

#include "ui/base/text.h"
#include "ui/plan/plan_figures.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/loss_chart.h"

#include <QVBoxLayout>

namespace triaxis::ui
{

LossPanel::LossPanel(QWidget* parent)
    : RunPanel(QStringLiteral("lossPanel"), QStringLiteral("Loss"), parent), m_chart(new LossChart)
{
    m_chart->setMinimumHeight(scaled(150));
    content()->addWidget(m_chart, 1);
}

void LossPanel::setRun(const RunData* run)
{
    m_taken = 0;
    if (run)
        m_chart->begin(lossUnit(run->plan()), run->plan().data.bestLoss,
                       run->plan().training.steps);
    else
        m_chart->begin(QStringLiteral("nats per token"), -1, 1);
    RunPanel::setRun(run);
}

void LossPanel::refresh()
{
    if (!run()) {
        setBasis({});
        return;
    }
    QList<double> steps;
    QList<double> losses;
    for (; m_taken < run()->steps().size(); ++m_taken) {
        steps << run()->steps()[m_taken].step;
        losses << run()->steps()[m_taken].loss;
    }
    if (!steps.isEmpty())
        m_chart->append(steps, losses);
    setBasis(m_taken == 0
                 ? QStringLiteral("Measured from the first step on.")
                 : QStringLiteral("step %1: %2 %3")
                       .arg(wholeNumber(run()->steps().back().step),
                            lossText(run()->steps().back().loss), lossUnit(run()->plan())));
}

} // namespace triaxis::ui
