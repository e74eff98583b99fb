#include "ui/panels/prediction_panel.h"

#include "engine/core/units.h"
#include "engine/timeline/bubble_phases.h"
#include "ui/base/language.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/panels/calibrate_box.h"
#include "ui/run/run_figures.h"
#include "ui/theme/fonts.h"

#include <QLabel>
#include <QVBoxLayout>

#include <cmath>

namespace triaxis::ui
{
namespace
{

QString seconds(double value)
{
    // Of work that costs nothing where only slots are known there is nothing to tell.
    return std::isfinite(value) && value >= 1e-9 ? spoken(units::seconds(value))
                                                 : QString(QChar(0x2013));
}

/// " ± 8 %"; nothing where steps are expected to be alike.
QString spreadText(double spread)
{
    const int percent = qRound(spread * 100);
    return percent > 0 ? QStringLiteral(" ± %1").arg(percent) + thinSpace + QLatin1Char('%')
                       : QString();
}

Tone toneOf(double error)
{
    return std::isfinite(error) && std::abs(error) >= 0.2 ? Tone::Warning : Tone::Plain;
}

/// Of shares: their difference.
FigureTable::Cell pointsCell(double difference)
{
    if (!std::isfinite(difference))
        return {QString(QChar(0x2013))};
    const double points = difference * 100;
    const QString sign = points < 0 ? QString(QChar(0x2212)) : QString(QLatin1Char('+'));
    return {sign + decimalText(std::abs(points), 1) + Words::tr(" points"),
            {},
            std::abs(points) >= 5 ? Tone::Warning : Tone::Plain,
            true};
}

FigureTable::Cell errorCell(double error, const QString& tip = {}, bool bold = false)
{
    return {errorText(error), tip, toneOf(error), bold};
}

QString whereText(const SpanErrors& errors)
{
    return Words::tr("rank %1, %2, step %3")
        .arg(errors.worstRank.value)
        .arg(spoken(toText(errors.worstId)))
        .arg(errors.worstStep);
}

QString spansText(const SpanErrors& errors)
{
    const QString joined =
        Words::tr("%1 joined").arg(counted(std::int64_t(errors.spans), QStringLiteral("span")));
    if (errors.compared == errors.spans)
        return joined;
    return joined + Words::tr(", %1 compared: the others take no time on one of both sides")
                        .arg(wholeNumber(std::int64_t(errors.compared)));
}

FigureTable::Cell medianCell(const SpanErrors& errors)
{
    if (errors.compared == 0)
        return {QString(QChar(0x2013)), Words::tr("takes no time on one of both sides")};
    return errorCell(errors.median, {}, true);
}

FigureTable::Cell worstCell(const SpanErrors& errors)
{
    if (errors.compared == 0)
        return {QString(QChar(0x2013))};
    return errorCell(errors.worst, whereText(errors));
}

std::vector<FigureTable::Name> errorColumns(const QString& what)
{
    return {{Words::tr("measured"), Words::tr("Median of ") + what},
            {Words::tr("predicted"), Words::tr("Median of ") + what},
            {Words::tr("median"), Words::tr("Median error of single spans: predicted over "
                                            "measured − 1; above 0 the prediction is too long")},
            {Words::tr("worst"), Words::tr("The error of single spans that is farthest "
                                           "from 0, and where; ×12: twelve times as "
                                           "long as measured")}};
}

RunErrors runErrors(const RunData& run, const MachinePrediction& prediction,
                    const PredictionJoin& join)
{
    RunErrors errors;
    const StepFigures steps = recentFigures(run);
    errors.steps = steps.steps;
    errors.measuredStep = steps.stepSeconds;
    errors.predictedStep = prediction.stepSeconds;
    const KeptBubble kept = recentBubble(run);
    errors.bubbles = kept.steps;
    errors.measuredBubble = kept.bubble;
    errors.predictedBubble = join.predictedBubble;
    return errors;
}

} // namespace

FigureTable stepErrorTable(const PredictionJoin& join, const RunErrors& run, double spread)
{
    FigureTable table;
    table.columns = {
        {Words::tr("measured")},
        {Words::tr("predicted")},
        {Words::tr("error"), Words::tr("Predicted over measured − 1; of the bubble the "
                                       "difference in points")}};
    const auto addTime = [&](const FigureTable::Name& name, double took, double told,
                             double within) {
        table.rows.push_back(name);
        table.cells.push_back(
            {{seconds(took)},
             {seconds(told) + spreadText(within),
              within > 0 ? Words::tr("±: between which eight of ten steps are expected, as "
                                     "the cores keep no even pace")
                         : QString()},
             errorCell(told / took - 1, {}, true)});
    };
    const auto addBubble = [&](const FigureTable::Name& name, double measured, double predicted) {
        table.rows.push_back(name);
        table.cells.push_back(
            {{percentText(measured)}, {percentText(predicted)}, pointsCell(predicted - measured)});
    };
    addTime({Words::tr("step time"),
             Words::tr("Of the steps shown: from the first begin to the last end over all "
                       "ranks, median")},
            join.measuredStep, join.predictedStep, spread);
    addBubble({Words::tr("bubble"),
               Words::tr("Of the steps shown: idle over the step without its tail, mean of "
                         "the stages and steps")},
              join.measuredBubble, join.predictedBubble);
    if (run.steps == 0)
        return table;
    addTime({Words::tr("run: step time"),
             Words::tr("Median of %1 on rank 0, as above the timeline and in the history")
                 .arg(counted(std::int64_t(run.steps), QStringLiteral("step")))},
            run.measuredStep, run.predictedStep, 0);
    addBubble({Words::tr("run: bubble"),
               Words::tr("Mean of %1 whose spans were kept, as above the timeline and in the "
                         "history")
                   .arg(counted(std::int64_t(run.bubbles), QStringLiteral("step")))},
              run.measuredBubble, run.predictedBubble);
    return table;
}

FigureTable kindErrorTable(const PredictionJoin& join)
{
    FigureTable table;
    table.columns = errorColumns(Words::tr("the spans' durations, without waiting"));
    for (const KindErrors& row : join.byKind) {
        table.rows.push_back({spoken(toText(row.kind)), spansText(row.errors)});
        table.cells.push_back({{seconds(row.errors.measured)},
                               {seconds(row.errors.predicted)},
                               medianCell(row.errors),
                               worstCell(row.errors)});
    }
    return table;
}

FigureTable rankErrorTable(const PredictionJoin& join, const Layout& layout)
{
    FigureTable table;
    table.columns = errorColumns(Words::tr("the computations"));
    table.columns[0] = {Words::tr("measured"), Words::tr("Seconds of a step in computations")};
    table.columns[1] = {Words::tr("predicted"), Words::tr("Seconds of a step in computations")};
    for (const RankErrors& row : join.byRank) {
        if (row.errors.spans == 0)
            continue;
        table.rows.push_back({Words::tr("rank %1").arg(row.rank.value),
                              spoken(toText(coordinatesOf(layout, row.rank))) + QLatin1Char('\n') +
                                  spansText(row.errors)});
        table.cells.push_back({{seconds(row.measuredSeconds)},
                               {seconds(row.predictedSeconds)},
                               medianCell(row.errors),
                               worstCell(row.errors)});
    }
    return table;
}

FigureTable memoryErrorTable(const RunData& run, const std::vector<PredictedBytes>& predicted)
{
    FigureTable table;
    table.columns = {{Words::tr("measured"), Words::tr("Peak over all steps, all uses at once")},
                     {Words::tr("predicted")},
                     {Words::tr("error")}};
    const auto& peaks = run.peakBytes();
    for (std::size_t rank = 0; rank < std::min(peaks.size(), predicted.size()); ++rank) {
        if (peaks[rank] <= 0)
            continue;
        QStringList parts;
        for (int category = 0; category < memoryCategoryCount; ++category)
            parts << Words::tr("%1: measured %2, predicted %3")
                         .arg(spoken(toText(MemoryCategory(category))),
                              spoken(
                                  units::bytes(run.peakByCategory()[rank][std::size_t(category)])),
                              spoken(units::bytes(predicted[rank].peak[std::size_t(category)])));
        const QString tip = parts.join(QLatin1Char('\n'));
        const double error = double(predicted[rank].peakTotal) / double(peaks[rank]) - 1;
        table.rows.push_back({Words::tr("rank %1").arg(rank),
                              spoken(toText(coordinatesOf(run.plan().layout, Rank(int(rank)))))});
        table.cells.push_back({{spoken(units::bytes(peaks[rank])), tip},
                               {spoken(units::bytes(predicted[rank].peakTotal)), tip},
                               errorCell(error, tip, true)});
    }
    return table;
}

FigureTable memoryUseTable(const RunData& run, const std::vector<PredictedBytes>& predicted)
{
    FigureTable table;
    table.columns = {{Words::tr("measured"),
                      Words::tr("Peak of the rank that took most for this use, over all steps")},
                     {Words::tr("predicted"), Words::tr("The same of the prediction")},
                     {Words::tr("error"), Words::tr("Predicted over measured − 1")}};
    for (int category = 0; category < memoryCategoryCount; ++category) {
        const auto use = std::size_t(category);
        std::int64_t took = 0;
        std::int64_t told = 0;
        for (const auto& peaks : run.peakByCategory())
            took = std::max(took, peaks[use]);
        for (const PredictedBytes& rank : predicted)
            told = std::max(told, rank.peak[use]);
        if (took <= 0 && told <= 0)
            continue;
        table.rows.push_back({spoken(toText(MemoryCategory(category)))});
        table.cells.push_back({{spoken(units::bytes(took))},
                               {spoken(units::bytes(told))},
                               took > 0
                                   ? errorCell(double(told) / double(took) - 1, {}, true)
                                   : FigureTable::Cell{QString(QChar(0x2013)),
                                                       Words::tr("nothing was measured of it")}});
    }
    return table;
}

PredictionPanel::PredictionPanel(QWidget* parent)
    : RunPanel(QStringLiteral("predictionPanel"), tr("Prediction"), parent),
      m_box(new CalibrateBox), m_state(emptyHint()), m_sign(new QLabel),
      m_step(new FigureTableView(QStringLiteral("stepErrors"),
                                 tr("Step time and bubble, predicted and measured"))),
      m_kindTitle(sectionTitle(tr("Error by kind"))),
      m_kinds(new FigureTableView(QStringLiteral("kindErrors"),
                                  tr("Error of the prediction by kind of instruction"))),
      m_rankTitle(sectionTitle(tr("Error by rank"))),
      m_ranks(
          new FigureTableView(QStringLiteral("rankErrors"), tr("Error of the prediction by rank"))),
      m_memoryTitle(sectionTitle(tr("Peak memory by rank"))),
      m_memory(new FigureTableView(QStringLiteral("memoryErrors"),
                                   tr("Predicted and measured peak memory by rank"))),
      m_usesTitle(sectionTitle(tr("Peak memory by use"))),
      m_uses(new FigureTableView(QStringLiteral("memoryUseErrors"),
                                 tr("Predicted and measured peak memory by use")))
{
    m_state->setObjectName(QStringLiteral("predictionState"));
    content()->addWidget(m_state);
    m_sign->setObjectName(QStringLiteral("predictionSign"));
    m_sign->setProperty("role", "small");
    m_sign->setWordWrap(true);
    m_sign->setText(tr("error = predicted ÷ measured − 1: + predicted too long, "
                       "− too short"));
    content()->addWidget(m_sign);
    content()->addWidget(m_step);
    for (const auto& [title, table] :
         {std::pair(m_kindTitle, m_kinds), std::pair(m_rankTitle, m_ranks),
          std::pair(m_usesTitle, m_uses), std::pair(m_memoryTitle, m_memory)}) {
        content()->addWidget(title);
        content()->addWidget(table);
    }
    content()->addWidget(m_box);
    addWholeRun();
    addFoldout(tr("What is this?"),
               tr("<p>The run's program, played with what its instructions cost on this machine, "
                  "or with the slots of a paced run. Every predicted span has the instruction "
                  "of a measured one; both are joined by rank, instruction and step.</p>"
                  "<p><b>median</b> and <b>worst</b> are errors of single spans: predicted over "
                  "measured − 1, above 0 where the prediction is too long. Transfers are "
                  "compared without waiting.</p>"));
    content()->addStretch(1);
    connect(m_box, &CalibrateBox::calibrated, this, &PredictionPanel::calibrated);
}

void PredictionPanel::setRun(const RunData* run)
{
    m_prediction.reset();
    m_join = {};
    RunPanel::setRun(run);
}

void PredictionPanel::setPrediction(std::shared_ptr<const RunPrediction> prediction)
{
    m_prediction = std::move(prediction);
    markStale();
}

void PredictionPanel::sayWhatIsMissing()
{
    const QString home =
        run() ? toQString(run()->directory().parent_path().parent_path().string()) : QString();
    if (!run() || !m_prediction) {
        m_state->setText(run() ? tr("Predicting…") : tr("Shown for a run."));
        m_box->say({}, false, home);
        return;
    }
    if (!m_prediction->prediction) {
        QString why = spoken(m_prediction->problem);
        if (!why.isEmpty())
            why[0] = why[0].toUpper();
        m_state->setText(
            tr("No prediction. %1. To get one, %2.").arg(why, spoken(m_prediction->remedy)));
        m_box->say({}, m_prediction->wantsCalibration, home);
        return;
    }
    m_state->setText(tr("Compared from the first whole step on."));
    m_box->say(m_prediction->wantsCalibration
                   ? tr("Without a calibration of this machine only slots and links are known: "
                        "what the machine itself takes is missing.")
                   : QString(),
               m_prediction->wantsCalibration, home);
}

void PredictionPanel::refresh()
{
    sayWhatIsMissing();
    const bool known = run() && m_prediction && m_prediction->prediction;
    std::vector<Span> measured;
    if (known)
        measured = spansOf(*run(), steps());
    m_join = known ? joinPrediction(m_prediction->prediction->spans, measured, run()->plan().layout)
                   : PredictionJoin{};
    // The bubble of the very steps that the figure above and the page beside tell of.
    if (known)
        m_join.measuredBubble =
            meanBubble(phasesByStage(sharesOf(*run(), steps()), run()->plan().layout));
    const bool any = known && m_join.joined > 0;
    m_state->setVisible(!any);
    for (QWidget* widget : {static_cast<QWidget*>(m_sign), static_cast<QWidget*>(m_step),
                            static_cast<QWidget*>(m_kindTitle), static_cast<QWidget*>(m_kinds),
                            static_cast<QWidget*>(m_rankTitle), static_cast<QWidget*>(m_ranks)})
        widget->setVisible(any);
    FigureTable memory =
        known ? memoryErrorTable(*run(), m_prediction->prediction->memory) : FigureTable{};
    FigureTable uses =
        known ? memoryUseTable(*run(), m_prediction->prediction->memory) : FigureTable{};
    const bool anyMemory = !memory.rows.empty();
    for (QWidget* widget : {static_cast<QWidget*>(m_memoryTitle), static_cast<QWidget*>(m_memory),
                            static_cast<QWidget*>(m_usesTitle), static_cast<QWidget*>(m_uses)})
        widget->setVisible(anyMemory);
    m_uses->setTable(std::move(uses));
    m_memory->setTable(std::move(memory));
    if (!any) {
        setBasis(known ? tr("from ") + spoken(m_prediction->basis) : QString());
        return;
    }
    m_step->setTable(stepErrorTable(m_join, runErrors(*run(), *m_prediction->prediction, m_join),
                                    m_prediction->prediction->spread));
    m_kinds->setTable(kindErrorTable(m_join));
    m_ranks->setTable(rankErrorTable(m_join, run()->plan().layout));
    QString basis =
        tr("%1 · from %2")
            .arg(basisText(steps(), std::size_t(m_join.steps)), spoken(m_prediction->basis));
    if (m_join.measuredOnly + m_join.predictedOnly > 0)
        basis += tr(" · %1 without a twin")
                     .arg(counted(std::int64_t(m_join.measuredOnly + m_join.predictedOnly),
                                  QStringLiteral("span")));
    setBasis(basis);
}

} // namespace triaxis::ui
