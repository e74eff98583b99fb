#include "ui/panels/bubble_panel.h"

#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/widgets/bubble_bars.h"

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>
#include <functional>
#include <numeric>

namespace triaxis::ui
{
namespace
{

double meanOf(const std::vector<double>& values)
{
    double sum = 0;
    int count = 0;
    for (const double value : values) {
        if (!std::isfinite(value))
            continue;
        sum += value;
        ++count;
    }
    return count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN();
}

QString explanation(const PlanClosedForm* form)
{
    QString text =
        QStringLiteral("<p>At any moment a rank's compute lane is in one of these; they sum to "
                       "100 % of the step. A stage's figure is the mean over its ranks and "
                       "over the steps shown.</p>");
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        text += QStringLiteral("<p><b>%1</b> %2</p>")
                    .arg(QLatin1String(toText(BubblePhase(phase))),
                         toQString(definitionOf(BubblePhase(phase))));
    text +=
        QStringLiteral("<p><b>bubble</b> All idle time over the step without its tail: what papers "
                       "and closed forms give.</p><p><b>closed form</b> The bubble that the "
                       "schedule has by its construction, transfers free and all stages alike");
    if (form && !form->form.idleText.empty())
        text += QStringLiteral(": ") + toQString(form->form.idleText).toHtmlEscaped();
    if (form && !form->assumes.empty())
        text += QStringLiteral(" (") + toQString(form->assumes).toHtmlEscaped() + QLatin1Char(')');
    text += QStringLiteral(". <b>at the ends</b> is its warm-up and cool-down, <b>between</b> the "
                           "rest.</p>");
    return text;
}

} // namespace

FigureTable bubbleTable(const std::vector<StagePhases>& stages, const PlanClosedForm& form)
{
    FigureTable table;
    if (stages.empty())
        return table;
    for (const StagePhases& stage : stages)
        table.columns.push_back({QStringLiteral("stage %1").arg(stage.stage)});
    if (stages.size() > 1)
        table.columns.push_back({QStringLiteral("mean"), QStringLiteral("of the stages")});
    const auto addRow = [&](const QString& name, const QString& tip, bool bold,
                            const std::function<double(const StagePhases&)>& value) {
        std::vector<double> values;
        for (const StagePhases& stage : stages)
            values.push_back(value(stage));
        if (stages.size() > 1)
            values.push_back(meanOf(values));
        std::vector<FigureTable::Cell> cells;
        for (const double share : values)
            cells.push_back({percentText(share), tip, Tone::Plain, bold});
        table.rows.push_back({name, tip});
        table.cells.push_back(std::move(cells));
    };
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        addRow(QLatin1String(toText(BubblePhase(phase))),
               toQString(definitionOf(BubblePhase(phase))), false,
               [phase](const StagePhases& stage) { return stage.share[std::size_t(phase)]; });
    addRow(QStringLiteral("sum"), QStringLiteral("Of all phases above: the whole step."), false,
           [](const StagePhases& stage) {
               return std::accumulate(stage.share.begin(), stage.share.end(), 0.0);
           });
    addRow(QStringLiteral("bubble, measured"),
           QStringLiteral("Idle time over the step without its tail."), true,
           [](const StagePhases& stage) { return stage.bubble; });
    const QString tip =
        QStringLiteral("By the construction of the schedule: ") + toQString(form.form.idleText) +
        (form.assumes.empty() ? QString() : QStringLiteral(", ") + toQString(form.assumes));
    addRow(QStringLiteral("bubble, closed form"), tip, true,
           [&](const StagePhases& stage) { return closedPhases(form.form, stage.stage).bubble; });
    if (form.form.idleOwn.empty())
        return table;
    addRow(QStringLiteral("… at the ends"),
           QStringLiteral("Closed form of warm-up and cool-down together."), false,
           [&](const StagePhases& stage) { return closedPhases(form.form, stage.stage).ends; });
    addRow(QStringLiteral("… between"),
           QStringLiteral("Closed form of what idles between first and last computation."), false,
           [&](const StagePhases& stage) { return closedPhases(form.form, stage.stage).between; });
    return table;
}

BubblePanel::BubblePanel(QWidget* parent)
    : RunPanel(QStringLiteral("bubblePanel"), QStringLiteral("Bubble"), parent),
      m_bars(new BubbleBars),
      m_table(new FigureTableView(QStringLiteral("bubbleTable"),
                                  QStringLiteral("Phases of every stage in percent of the step"))),
      m_empty(emptyHint())
{
    content()->addWidget(m_empty);
    content()->addWidget(m_bars);
    content()->addWidget(m_table);
    addFoldout(QStringLiteral("What is this?"), explanation(nullptr));
    content()->addStretch(1);
}

void BubblePanel::refresh()
{
    m_stages.clear();
    std::size_t kept = 0;
    if (run()) {
        const std::vector<StepShares> shares = sharesOf(*run(), steps());
        kept = shares.size();
        m_stages = phasesByStage(shares, run()->plan().layout);
        if (auto* text = findChild<QLabel*>(objectName() + QStringLiteral("HelpText")))
            text->setText(explanation(&run()->form()));
    }
    const bool any = !m_stages.empty();
    m_empty->setVisible(!any);
    m_bars->setVisible(any);
    m_table->setVisible(any);
    m_empty->setText(
        steps().any() && run() && !run()->details().empty()
            ? QStringLiteral("No step of this range was kept. Press Home in the timeline "
                             "to show all steps.")
            : QStringLiteral("Measured from the first whole step on."));
    setBasis(any ? QStringLiteral("%1 · percent of the step").arg(basisText(steps(), kept))
                 : QString());
    m_bars->setStages(m_stages, run() ? run()->form().form : ClosedForm{});
    m_table->setTable(run() ? bubbleTable(m_stages, run()->form()) : FigureTable{});
}

} // namespace triaxis::ui
