#include "ui/run/run_figures.h"

#include "engine/core/units.h"
#include "ui/base/text.h"
#include "ui/plan/plan_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t recentSteps = 20;
constexpr double stragglerExcess = 0.1;
constexpr double evenExcess = 0.005;

QString dash()
{
    return QString(QChar(0x2013));
}

/// The last steps; the very first one warms up and is left out where there are others.
std::vector<StepResult> recent(const RunData& run)
{
    const auto& steps = run.steps();
    const std::size_t skip = steps.size() > 1 ? 1 : 0;
    const std::size_t count = std::min(recentSteps, steps.size() - skip);
    return {steps.end() - std::ptrdiff_t(count), steps.end()};
}

QString overSteps(std::size_t count)
{
    return count == 1 ? QStringLiteral("last step") : QStringLiteral("last %1 steps").arg(count);
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

Figure tokensFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Tokens / s"), dash(), {},
                  QStringLiteral("Tokens of the last steps over their duration on rank 0")};
    const auto steps = recent(run);
    if (steps.empty())
        return figure;
    double tokens = 0;
    double seconds = 0;
    for (const StepResult& step : steps) {
        tokens += double(step.tokens);
        seconds += step.seconds;
    }
    if (seconds > 0)
        figure.value = toQString(units::count(tokens / seconds));
    figure.meaning = overSteps(steps.size());
    return figure;
}

Figure stepFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Step time"), dash(), {},
                  QStringLiteral("Median duration of a step on rank 0; the first step is left out")};
    const auto steps = recent(run);
    if (steps.empty())
        return figure;
    figure.value = toQString(units::seconds(recentStepSeconds(run)));
    figure.meaning = QStringLiteral("median, ") + overSteps(steps.size());
    return figure;
}

Figure bubbleFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Bubble"), dash(), {},
                  QStringLiteral("Idle share of the compute lanes over the step without its tail, mean "
                                 "over stages and the last steps with spans")};
    double sum = 0;
    std::size_t count = 0;
    for (const StepShares& shares : run.shares()) {
        const double value = bubble(shares, run.plan().layout);
        if (std::isnan(value))
            continue;
        sum += value;
        ++count;
    }
    if (count > 0)
        figure.value = toQString(units::percent(sum / double(count)));
    figure.meaning = run.closedForm() >= 0
                         ? QStringLiteral("closed form %1")
                               .arg(toQString(units::percent(run.closedForm())))
                         : overSteps(count);
    return figure;
}

Figure slowestFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Slowest rank"), dash(), {},
                  QStringLiteral("Time in computation against the mean of the ranks of its stage, over "
                                 "the last steps with spans")};
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
    figure.value =
        QStringLiteral("rank %1 · +%2%3%")
            .arg(slowest.rank.value)
            .arg(slowest.excess * 100, 0, 'f', slowest.excess < 0.095 ? 1 : 0)
            .arg(thinSpace);
    const bool straggles = slowest.excess >= stragglerExcess;
    figure.meaning = straggles ? QStringLiteral("slower than its stage")
                               : QStringLiteral("no straggler");
    figure.tone = straggles ? Tone::Warning : Tone::Plain;
    return figure;
}

Figure memoryFigure(const RunData& run)
{
    Figure figure{QStringLiteral("Memory"), dash(), QStringLiteral("peak of the fullest rank"),
                  QStringLiteral("Most bytes that the rank had allocated at once, all uses together")};
    const auto& peaks = run.peakBytes();
    const auto fullest = std::max_element(peaks.begin(), peaks.end());
    if (fullest == peaks.end() || *fullest == 0)
        return figure;
    figure.value = toQString(units::bytes(*fullest));
    figure.meaning = QStringLiteral("peak of rank %1").arg(fullest - peaks.begin());
    return figure;
}

} // namespace

double recentStepSeconds(const RunData& run)
{
    std::vector<StepResult> steps = recent(run);
    if (steps.empty())
        return std::numeric_limits<double>::quiet_NaN();
    const auto middle = steps.begin() + std::ptrdiff_t(steps.size() / 2);
    std::nth_element(
        steps.begin(), middle, steps.end(),
        [](const StepResult& a, const StepResult& b) { return a.seconds < b.seconds; });
    return middle->seconds;
}

SlowestRank slowestRank(const RunData& run)
{
    const Layout& layout = run.plan().layout;
    std::vector<double> busy(std::size_t(layout.ranks()), 0);
    for (const StepShares& shares : run.shares()) {
        for (std::size_t rank = 0; rank < busy.size() && rank < shares.perRank.size(); ++rank)
            busy[rank] += shares.perRank[rank].compute;
    }
    SlowestRank slowest;
    if (layout.dp * layout.tp == 1 || run.shares().empty())
        return slowest;
    std::vector<double> mean(std::size_t(layout.pp), 0);
    for (std::size_t rank = 0; rank < busy.size(); ++rank)
        mean[std::size_t(coordinatesOf(layout, Rank(int(rank))).pipeline)] +=
            busy[rank] / (layout.dp * layout.tp);
    for (std::size_t rank = 0; rank < busy.size(); ++rank) {
        const double of = mean[std::size_t(coordinatesOf(layout, Rank(int(rank))).pipeline)];
        if (of <= 0)
            continue;
        const double excess = busy[rank] / of - 1;
        if (!slowest.known || excess > slowest.excess)
            slowest = {Rank(int(rank)), excess, true};
    }
    return slowest;
}

std::vector<BubbleBars::Stage> bubbleStages(const RunData& run)
{
    const Layout& layout = run.plan().layout;
    std::vector<BubbleBars::Stage> stages(std::size_t(layout.pp));
    std::vector<double> counted(std::size_t(layout.pp), 0);
    for (const StepShares& shares : run.shares()) {
        for (std::size_t rank = 0; rank < shares.perRank.size(); ++rank) {
            const LaneShare& lane = shares.perRank[rank];
            const double whole = lane.window() - lane.tail;
            if (whole <= 0)
                continue;
            const auto at = std::size_t(coordinatesOf(layout, Rank(int(rank))).pipeline);
            stages[at].warmUp += lane.warmUp / whole;
            stages[at].peerWait += (lane.peerWait + lane.steady) / whole;
            stages[at].transfer += lane.exposedTransfer / whole;
            stages[at].coolDown += lane.coolDown / whole;
            counted[at] += 1;
        }
    }
    if (std::accumulate(counted.begin(), counted.end(), 0.0) == 0)
        return {};
    for (std::size_t at = 0; at < stages.size(); ++at) {
        const double ranks = std::max(1.0, counted[at]);
        stages[at].warmUp /= ranks;
        stages[at].peerWait /= ranks;
        stages[at].transfer /= ranks;
        stages[at].coolDown /= ranks;
    }
    return stages;
}

std::vector<MemoryGrid::Cell> memoryCells(const RunData& run, bool peak)
{
    std::vector<MemoryGrid::Cell> cells;
    for (std::size_t rank = 0; rank < run.memory().size(); ++rank) {
        const MemorySample& sample = run.memory()[rank];
        MemoryGrid::Cell cell;
        cell.rank = int(rank);
        cell.coordinates =
            toQString(toText(coordinatesOf(run.plan().layout, Rank(int(rank)))));
        const std::int64_t live =
            std::accumulate(sample.live.begin(), sample.live.end(), std::int64_t(0));
        cell.bytes = peak ? run.peakBytes()[rank] : live;
        QStringList lines;
        for (int category = 0; category < memoryCategoryCount; ++category)
            lines << QStringLiteral("%1: %2").arg(
                QLatin1String(toText(MemoryCategory(category))),
                toQString(units::bytes(peak ? sample.peak[std::size_t(category)]
                                            : sample.live[std::size_t(category)])));
        lines << (peak ? QStringLiteral("each at its own peak within step %1").arg(sample.step)
                       : QStringLiteral("at the end of step %1").arg(sample.step));
        cell.detail = lines.join(QLatin1Char('\n'));
        cells.push_back(std::move(cell));
    }
    return cells;
}

QString stateText(RunState state)
{
    return QLatin1String(toText(state));
}

std::vector<Figure> runFigures(const RunData& run)
{
    return {stateFigure(run),  lossFigure(run),    tokensFigure(run), stepFigure(run),
            bubbleFigure(run), slowestFigure(run), memoryFigure(run)};
}

} // namespace triaxis::ui
