#include "ui/panels/bubble_panel.h"

#include "ui/base/language.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/widgets/bubble_bars.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>

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
        Words::tr("<p>At any moment a rank's compute lane is in one of these; they sum to "
                  "100 % of the step. A stage's figure is the mean over its ranks and "
                  "over the steps shown.</p>");
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        text +=
            QStringLiteral("<p><b>%1</b> %2</p>")
                .arg(spoken(toText(BubblePhase(phase))), spoken(definitionOf(BubblePhase(phase))));
    text += Words::tr("<p><b>bubble</b> All idle time over the step without its tail: what papers "
                      "and closed forms give.</p><p><b>closed form</b> The bubble that the "
                      "schedule has by its construction, transfers free and all stages alike");
    if (form && !form->form.idleText.empty())
        text += QStringLiteral(": ") + spoken(form->form.idleText).toHtmlEscaped();
    if (form && !form->assumes.empty())
        text += QStringLiteral(" (") + spoken(form->assumes).toHtmlEscaped() + QLatin1Char(')');
    text += Words::tr(". <b>at the ends</b> is its warm-up and cool-down, <b>between</b> the "
                      "rest.</p>");
    return text;
}

} // namespace

namespace
{

using Value = std::function<double(const StagePhases&)>;

/// A column for each stage, and their mean where there are several.
FigureTable stageColumns(const std::vector<StagePhases>& stages)
{
    FigureTable table;
    for (const StagePhases& stage : stages)
        table.columns.push_back({Words::tr("stage %1").arg(stage.stage)});
    if (stages.size() > 1)
        table.columns.push_back({Words::tr("mean"), Words::tr("of the stages")});
    return table;
}

void addRow(FigureTable& table, const std::vector<StagePhases>& stages,
            const FigureTable::Name& name, bool bold, const Value& value)
{
    std::vector<double> values;
    for (const StagePhases& stage : stages)
        values.push_back(value(stage));
    if (stages.size() > 1)
        values.push_back(meanOf(values));
    std::vector<FigureTable::Cell> cells;
    for (const double share : values)
        cells.push_back({percentText(share), name.tip, Tone::Plain, bold});
    table.rows.push_back(name);
    table.cells.push_back(std::move(cells));
}

double sumOf(const StagePhases& stage, bool idleOnly)
{
    double sum = 0;
    for (int phase = 0; phase < bubblePhaseCount; ++phase)
        if (!idleOnly || isIdle(BubblePhase(phase)))
            sum += stage.share[std::size_t(phase)];
    return sum;
}

} // namespace

FigureTable phaseTable(const std::vector<StagePhases>& stages)
{
    FigureTable table = stageColumns(stages);
    if (stages.empty())
        return table;
    const auto addPhases = [&](bool idle) {
        for (int phase = 0; phase < bubblePhaseCount; ++phase)
            if (isIdle(BubblePhase(phase)) == idle)
                addRow(
                    table, stages,
                    {spoken(toText(BubblePhase(phase))), spoken(definitionOf(BubblePhase(phase)))},
                    false, [phase](const StagePhases& of) { return of.share[std::size_t(phase)]; });
    };
    addPhases(true);
    addRow(table, stages,
           {Words::tr("idle"), Words::tr("Sum of the rows above: what the bubble is made "
                                         "of.")},
           true, [](const StagePhases& of) { return sumOf(of, true); });
    addPhases(false);
    addRow(table, stages,
           {Words::tr("sum"), Words::tr("Idle and the rows below it: the whole step.")}, true,
           [](const StagePhases& of) { return sumOf(of, false); });
    return table;
}

FigureTable bubbleTable(const std::vector<StagePhases>& stages, const PlanClosedForm& form)
{
    FigureTable table = stageColumns(stages);
    if (stages.empty())
        return table;
    addRow(table, stages,
           {Words::tr("measured"), Words::tr("Idle ÷ (100 % − tail), mean over ranks and steps.")},
           true, [](const StagePhases& of) { return of.bubble; });
    const auto closed = [&](const QString& name, const QString& tip, bool bold,
                            double ClosedPhases::*part) {
        addRow(table, stages, {name, tip}, bold, [&form, part](const StagePhases& of) {
            return closedPhases(form.form, of.stage).*part;
        });
    };
    closed(Words::tr("closed form"),
           Words::tr("By the construction of the schedule: ") + spoken(form.form.idleText) +
               (form.assumes.empty() ? QString() : QStringLiteral(", ") + spoken(form.assumes)),
           true, &ClosedPhases::bubble);
    if (form.form.idleOwn.empty())
        return table;
    closed(Words::tr("… at the ends"), Words::tr("Closed form of warm-up and cool-down together."),
           false, &ClosedPhases::ends);
    closed(Words::tr("… between"),
           Words::tr("Closed form of what idles between first and last computation."), false,
           &ClosedPhases::between);
    return table;
}

BubblePanel::BubblePanel(QWidget* parent)
    : RunPanel(QStringLiteral("bubblePanel"), tr("Bubble"), parent), m_bars(new BubbleBars),
      m_phasesTitle(sectionTitle(tr("Percent of the step"))),
      m_phases(new FigureTableView(QStringLiteral("phaseTable"),
                                   tr("Phases of every stage in percent of the step"))),
      m_tableTitle(sectionTitle(tr("Bubble: idle of the step without its tail"))),
      m_table(new FigureTableView(QStringLiteral("bubbleTable"),
                                  tr("Bubble of every stage, of the step without its tail"))),
      m_empty(emptyHint())
{
    for (QWidget* widget : {static_cast<QWidget*>(m_empty), static_cast<QWidget*>(m_bars),
                            static_cast<QWidget*>(m_tableTitle), static_cast<QWidget*>(m_table),
                            static_cast<QWidget*>(m_phasesTitle), static_cast<QWidget*>(m_phases)})
        content()->addWidget(widget);
    addWholeRun();
    addFoldout(tr("What is this?"), explanation(nullptr));
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
    for (QWidget* widget : {static_cast<QWidget*>(m_bars), static_cast<QWidget*>(m_phasesTitle),
                            static_cast<QWidget*>(m_phases), static_cast<QWidget*>(m_tableTitle),
                            static_cast<QWidget*>(m_table)})
        widget->setVisible(any);
    m_empty->setText(steps().any() && run() && !run()->details().empty()
                         ? tr("No step of this range was kept. Press Home in the timeline "
                              "to show all steps.")
                         : tr("Measured from the first whole step on."));
    setBasis(any ? (steps().first == steps().last ? QString() : tr("mean of ")) +
                       basisText(steps(), kept)
                 : QString());
    m_bars->setStages(m_stages, run() ? run()->form().form : ClosedForm{});
    m_phases->setTable(phaseTable(m_stages));
    m_table->setTable(run() ? bubbleTable(m_stages, run()->form()) : FigureTable{});
    const int names = std::max(m_phases->ownNames(), m_table->ownNames());
    m_phases->setLeastNames(names);
    m_table->setLeastNames(names);
}

} // namespace triaxis::ui
