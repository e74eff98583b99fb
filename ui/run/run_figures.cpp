#include "ui/run/run_figures.h"

#include "engine/core/units.h"
#include "ui/base/count_text.h"
#include "ui/base/language.h"
#include "ui/base/percent_text.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
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
        return all ? Words::tr("1 step") : Words::tr("last step");
    return all ? counted(std::int64_t(count), QStringLiteral("step"))
               : Words::tr("last %1 steps").arg(wholeNumber(std::int64_t(count)));
}

void nameSteps(Figure& figure, const RunData& run, std::size_t count)
{
    figure.name += QStringLiteral(" · ") + overSteps(run, count);
}

Figure stateFigure(const RunData& run)
{
    Figure figure{Words::tr("State"), stateText(run.status().state), {}, {}};
    const std::int64_t left = run.plan().training.steps - std::int64_t(run.steps().size());
    const double step = recentStepSeconds(run);
    switch (run.status().state) {
    case RunState::Draft:
    case RunState::Starting:
        figure.meaning = Words::tr("ranks come up");
        break;
    case RunState::Running:
        figure.meaning =
            std::isnan(step)
                ? Words::tr("first step")
                : Words::tr("about %1 left").arg(spoken(units::seconds(double(left) * step)));
        break;
    case RunState::Stopping:
        figure.meaning = Words::tr("ranks finish their step");
        break;
    case RunState::Finished:
    case RunState::Stopped: {
        const auto& steps = run.steps();
        if (!steps.empty())
            figure.meaning =
                Words::tr("trained for %1")
                    .arg(spoken(units::seconds(steps.back().begin + steps.back().seconds)));
        figure.tone = run.status().state == RunState::Finished ? Tone::Good : Tone::Plain;
        break;
    }
    case RunState::Failed:
        figure.meaning = run.status().failedRank
                             ? Words::tr("rank %1").arg(run.status().failedRank->value)
                             : Words::tr("see above");
        figure.tone = Tone::Bad;
        break;
    }
    return figure;
}

Figure lossFigure(const RunData& run)
{
    Figure figure{Words::tr("Loss"), dash(), lossUnit(run.plan()),
                  Words::tr("Mean over the global batch, before the update")};
    if (!run.steps().empty())
        figure.value = lossText(run.steps().back().loss);
    if (run.plan().data.bestLoss >= 0)
        figure.meaning = Words::tr("best reachable %1").arg(lossText(run.plan().data.bestLoss));
    return figure;
}

QString predictedText(const QString& value, double measured, double predicted)
{
    QString text = Words::tr("predicted ") + value;
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
    Figure figure{Words::tr("Tokens / s"),
                  dash(),
                  {},
                  Words::tr("Tokens of the last steps over their duration on rank 0")};
    const StepFigures steps = recentFigures(run);
    if (steps.steps == 0)
        return figure;
    figure.value = countText(steps.tokensPerSecond);
    figure.meaning = overSteps(run, steps.steps);
    return figure;
}

Figure stepFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{Words::tr("Step time"),
                  dash(),
                  {},
                  Words::tr("Median duration of a step on rank 0; the first step is left out")};
    const StepFigures steps = recentFigures(run);
    if (steps.steps == 0)
        return figure;
    figure.value = spoken(units::seconds(steps.stepSeconds));
    nameSteps(figure, run, steps.steps);
    figure.meaning = Words::tr("median");
    if (predicted.stepSeconds > 0)
        figure.meaning = predictedText(spoken(units::seconds(predicted.stepSeconds)),
                                       steps.stepSeconds, predicted.stepSeconds);
    return figure;
}

Figure bubbleFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{Words::tr("Bubble"),
                  dash(),
                  {},
                  Words::tr("Idle share of the compute lanes over the step without its tail, "
                            "mean over the stages and the steps whose spans were kept, as in "
                            "the history; the first step is left out. The panels tell it of "
                            "the steps that the timeline shows or has marked")};
    const KeptBubble kept = recentBubble(run);
    figure.value = percentText(kept.bubble);
    if (kept.steps > 0)
        nameSteps(figure, run, kept.steps);
    if (run.closedForm() >= 0)
        figure.meaning = Words::tr("closed form %1").arg(percentText(run.closedForm()));
    if (std::isfinite(predicted.bubble))
        figure.explanation += Words::tr("\npredicted ") + percentText(predicted.bubble);
    return figure;
}

Figure slowestFigure(const RunData& run)
{
    Figure figure{
        Words::tr("Slowest rank"),
        dash(),
        {},
        Words::tr("Median time in computation over the last steps with spans, against the "
                  "median of the other ranks of its stage. ") +
            stragglerRule()};
    const SlowestRank slowest = slowestRank(run);
    if (!slowest.known) {
        figure.meaning = run.plan().layout.dp * run.plan().layout.tp == 1
                             ? Words::tr("one rank a stage")
                             : QString();
        return figure;
    }
    if (slowest.excess < evenExcess) {
        figure.value = Words::tr("none");
        figure.meaning = Words::tr("ranks of a stage are even");
        return figure;
    }
    figure.value = Words::tr("rank %1 · +%2%3%")
                       .arg(slowest.rank.value)
                       .arg(slowest.excess * 100, 0, 'f', slowest.excess < 0.095 ? 1 : 0)
                       .arg(thinSpace);
    const std::size_t straggling = stragglers(run).size();
    figure.meaning = straggling == 0   ? Words::tr("no straggler")
                     : straggling == 1 ? Words::tr("straggler")
                                       : Words::tr("%1 stragglers").arg(straggling);
    figure.tone = straggling > 0 ? Tone::Warning : Tone::Plain;
    return figure;
}

Figure memoryFigure(const RunData& run, const PredictedFigures& predicted)
{
    Figure figure{
        Words::tr("Memory"), dash(), Words::tr("peak of the fullest rank"),
        Words::tr("Most bytes that the rank had allocated at once over all steps, all uses "
                  "together")};
    const auto& peaks = run.peakBytes();
    const auto fullest = std::max_element(peaks.begin(), peaks.end());
    if (fullest == peaks.end() || *fullest == 0)
        return figure;
    figure.value = spoken(units::bytes(*fullest));
    figure.meaning = Words::tr("peak of rank %1").arg(fullest - peaks.begin());
    if (predicted.peakBytes > 0)
        figure.meaning = predictedText(spoken(units::bytes(predicted.peakBytes)), double(*fullest),
                                       double(predicted.peakBytes));
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
    return spoken(toText(state));
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
