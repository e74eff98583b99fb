#include "ui/run/run_figures.h"

#include "engine/core/units.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/plan/plan_text.h"
#include "ui/run/straggler.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t recentSteps = 20;
constexpr double evenExcess = 0.005;

QString dash()
{
    return QString(QChar(0x2013));
}

/// "39 steps", "last 20 steps".
QString overSteps(const RunData& run, std::size_t count)
{
    const bool all = isFinal(run.status().state);
    if (count == 1)
        return all ? QStringLiteral("1 step") : QStringLiteral("last step");
    return all ? counted(std::int64_t(count), QStringLiteral("step"))
               : QStringLiteral("last %1 steps").arg(wholeNumber(std::int64_t(count)));
}

void nameSteps(Figure& figure, const RunData& run, std::size_t count)
{
    figure.name += QStringLiteral(" · ") + overSteps(run, count);
}

Figure stateFigure(const RunData& run)
{
    Figure figure{QStringLiteral("State"), stateText(run.status().state), {}, {}};
    const std::int64_t left = run.plan().training.steps - std::int64_t(run.steps().size());
    const double step = recentStepSeconds(run);
    switch (run.status().state) {
    case RunState::Draft:
    case RunState::Starting:
        figure.meaning = QStringLiteral("ranks come up");
        break;
    case RunState::Running:
        figure.meaning = std::isnan(step)
                             ? QStringLiteral("first step")
                             : QStringLiteral("about %1 left")
                                   .arg(toQString(units::seconds(double(left) * step)));
        break;
    case RunState::Stopping:
        figure.meaning = QStringLiteral("ranks finish their step");
        break;
    case RunState::Finished:
    case RunState::Stopped: {
        const auto& steps = run.steps();
        if (!steps.empty())
            figure.meaning =
                QStringLiteral("trained for %1")
                    .arg(toQString(units::seconds(steps.back().begin + steps.back().seconds)));
        figure.tone = run.status().state == RunState::Finished ? Tone::Good : Tone::Plain;
        break;
    }
    case RunState::Failed:
        figure.meaning = run.status().failedRank
                             ? QStringLiteral("rank %1").arg(run.status().failedRank->value)
                             : QStringLiteral("see above");
        figure.tone = Tone::Bad;
        break;
    }
    return figure;
}

Figure lossFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Loss"), dash(), lossUnit(run.plan()),
                  QStringLiteral("Mean over the global batch, before the update")};
    if (!run.steps().empty())
        figure.value = lossText(run.steps().back().loss);
    if (run.plan().data.bestLoss >= 0)
        figure.meaning =
            QStringLiteral("best reachable %1").arg(lossText(run.plan().data.bestLoss));
    return figure;
}

QString predictedText(const QString& value, double measured, double predicted)
{
    QString text = QStringLiteral("predicted ") + value;
    const double error = measured > 0 ? predicted / measured - 1 : 0;
    if (std::abs(error) >= 0.005)
        text += QStringLiteral(" (%1%2%3%)")
                    .arg(error > 0 ? QLatin1Char('+') : QChar(0x2212))
                    .arg(qRound(std::abs(error) * 100))
                    .arg(thinSpace);
    return text;
}

Figure tokensFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Tokens / s"),
                  dash(),
                  {},
                  QStringLiteral("Tokens of the last steps over their duration on rank 0")};
    const StepFigures steps = recentFigures(run);
    if (steps.steps == 0)
        return figure;
    figure.value = toQString(units::count(steps.tokensPerSecond));
    figure.meaning = overSteps(run, steps.steps);
    return figure;
}

Figure stepFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{
        QStringLiteral("Step time"),
        dash(),
        {},
        QStringLiteral("Median duration of a step on rank 0; the first step is left out")};
    const StepFigures steps = recentFigures(run);
    if (steps.steps == 0)
        return figure;
    figure.value = toQString(units::seconds(steps.stepSeconds));
    nameSteps(figure, run, steps.steps);
    figure.meaning = QStringLiteral("median");
    if (predicted.stepSeconds > 0)
        figure.meaning = predictedText(toQString(units::seconds(predicted.stepSeconds)),
                                       steps.stepSeconds, predicted.stepSeconds);
    return figure;
}

Figure bubbleFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{QStringLiteral("Bubble"),
                  dash(),
                  {},
                  QStringLiteral("Idle share of the compute lanes over the step without its tail, "
                                 "mean over the stages and the steps whose spans were kept, as in "
                                 "the history; the first step is left out. The panels tell it of "
                                 "the steps that the timeline shows or has marked")};
    const KeptBubble kept = recentBubble(run);
    figure.value = percentText(kept.bubble);
    if (kept.steps > 0)
        nameSteps(figure, run, kept.steps);
    if (run.closedForm() >= 0)
        figure.meaning = QStringLiteral("closed form %1").arg(percentText(run.closedForm()));
    if (std::isfinite(predicted.bubble))
        figure.explanation += QStringLiteral("\npredicted ") + percentText(predicted.bubble);
    return figure;
}

Figure slowestFigure(const RunData& run)
{
    Figure figure{
        QStringLiteral("Slowest rank"),
        dash(),
        {},
        QStringLiteral("Median time in computation over the last steps with spans, against the "
                       "median of the other ranks of its stage. ") +
            stragglerRule()};
    const SlowestRank slowest = slowestRank(run);
    if (!slowest.known) {
        figure.meaning = run.plan().layout.dp * run.plan().layout.tp == 1
                             ? QStringLiteral("one rank a stage")
                             : QString();
        return figure;
    }
    if (slowest.excess < evenExcess) {
        figure.value = QStringLiteral("none");
        figure.meaning = QStringLiteral("ranks of a stage are even");
        return figure;
    }
    figure.value = QStringLiteral("rank %1 · +%2%3%")
                       .arg(slowest.rank.value)
                       .arg(slowest.excess * 100, 0, 'f', slowest.excess < 0.095 ? 1 : 0)
                       .arg(thinSpace);
    const std::size_t straggling = stragglers(run).size();
    figure.meaning = straggling == 0   ? QStringLiteral("no straggler")
                     : straggling == 1 ? QStringLiteral("straggler")
                                       : QStringLiteral("%1 stragglers").arg(straggling);
    figure.tone = straggling > 0 ? Tone::Warning : Tone::Plain;
    return figure;
}

Figure memoryFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{
        QStringLiteral("Memory"), dash(), QStringLiteral("peak of the fullest rank"),
        QStringLiteral("Most bytes that the rank had allocated at once over all steps, all uses "
                       "together")};
    const auto& peaks = run.peakBytes();
    const auto fullest = std::max_element(peaks.begin(), peaks.end());
    if (fullest == peaks.end() || *fullest == 0)
        return figure;
    figure.value = toQString(units::bytes(*fullest));
    figure.meaning = QStringLiteral("peak of rank %1").arg(fullest - peaks.begin());
    if (predicted.peakBytes > 0)
        figure.meaning = predictedText(toQString(units::bytes(predicted.peakBytes)),
                                       double(*fullest), double(predicted.peakBytes));
    return figure;
}

} // namespace

StepFigures recentFigures(const RunData& run)
{
    return stepFigures(run.steps(), isFinal(run.status().state) ? 0 : recentSteps);
}

double recentStepSeconds(const RunData& run)
{
    return recentFigures(run).stepSeconds;
}

SlowestRank slowestRank(const RunData& run)
{
    SlowestRank slowest;
    const std::vector<double> excess = computeExcess(run, 1);
    for (std::size_t rank = 0; rank < excess.size(); ++rank)
        if (!std::isnan(excess[rank]) && (!slowest.known || excess[rank] > slowest.excess))
            slowest = {Rank(int(rank)), excess[rank], true};
    return slowest;
}

QString stateText(RunState state)
{
    return QLatin1String(toText(state));
}

KeptBubble recentBubble(const RunData& run)
{
    return keptBubble(run.bubbles(), isFinal(run.status().state) ? 0 : recentSteps);
}

std::vector<Figure> runFigures(const RunData& run, const PredictedFigures& predicted)
{
    return {stateFigure(run),
            lossFigure(run),
            tokensFigure(run),
            stepFigure(run, predicted),
            bubbleFigure(run, predicted),
            slowestFigure(run),
            memoryFigure(run, predicted)};
}

} // namespace triaxis::ui
