#include "ui/panels/loss_panel.h"

#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/plan_text.h"
#include "ui/theme/fonts.h"
#include "ui/widgets/loss_chart.h"

#include <QVBoxLayout>

#include <algorithm>

namespace triaxis::ui
{

namespace
{

QString lossAt(const StepResult& step)
{
    return Words::tr("step %1: %2").arg(wholeNumber(step.step), lossText(step.loss));
}

/// The loss at the end of the steps that are shown, and of the run.
QString lossBasis(const RunData& run, const ShownSteps& shown)
{
    const auto& all = run.steps();
    const auto after =
        std::upper_bound(all.begin(), all.end(), shown.last,
                         [](std::int32_t step, const StepResult& one) { return step < one.step; });
    QStringList parts;
    if (shown.any() && after != all.begin() && after != all.end())
        parts << lossAt(*(after - 1));
    parts << lossAt(all.back()) + QLatin1Char(' ') + lossUnit(run.plan());
    return parts.join(QStringLiteral(" · "));
}

} // namespace

LossPanel::LossPanel(QWidget* parent)
    : RunPanel(QStringLiteral("lossPanel"), tr("Loss"), parent), m_chart(new LossChart)
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
        m_chart->begin(tr("nats per token"), -1, 1);
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
    m_chart->setRange(this->steps().first, this->steps().last);
    setBasis(m_taken == 0 ? tr("Measured from the first step on.")
                          : lossBasis(*run(), this->steps()));
}

} // namespace triaxis::ui
