#include "engine/simulate/play.h"
#include "ui/plan/plan_figures.h"

#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/model/parameters.h"
#include "engine/record/run_bubble.h"
#include "engine/record/step_figures.h"
#include "ui/base/text.h"

#include <algorithm>
#include <limits>
#include <cmath>

namespace triaxis::ui
{
namespace
{

QString dash()
{
    return QString(QChar(0x2013));
}

Figure parametersFigure(const RunPlan& plan)
{
    return {QStringLiteral("Parameters"),
            toQString(units::count(double(parameterCount(plan.model)))),
            plan.model.tiedHead ? QStringLiteral("head shares the embedding")
                                : QStringLiteral("head of its own"),
            QStringLiteral("Every weight of the model, a shared one counted once: %1")
                .arg(wholeNumber(parameterCount(plan.model)))};
}

Figure ranksFigure(const RunPlan& plan, int cores)
{
    const int ranks = plan.layout.ranks();
    Figure figure{QStringLiteral("Ranks"), wholeNumber(ranks),
                  QStringLiteral("%1 on %2")
                      .arg(layoutText(plan.layout), counted(cores, QStringLiteral("core"))),
                  QStringLiteral("Data × tensor × pipeline; one process a rank")};
    return figure;
}

Figure microbatchFigure(const RunPlan& plan)
{
    const int count = plan.training.batch.microbatches(plan.layout.dp);
    Figure figure{QStringLiteral("Microbatches"), count > 0 ? wholeNumber(count) : dash(),
                  QStringLiteral("a step and replica"),
                  QStringLiteral("Global batch / (data-parallel size × microbatch)")};
    if (count <= 0) {
        figure.meaning = QStringLiteral("the batch does not divide");
        figure.tone = Tone::Bad;
    }
    return figure;
}

/// Mean idle share of the stages as the picture of the schedule shows it; not finite where that would take too long. Throws Error if the
/// plan has no schedule.
double playedBubble(const RunPlan& plan)
{
    constexpr std::int64_t mostSteps = 40'000;
    const std::int64_t steps = std::int64_t(plan.training.batch.microbatches(plan.layout.dp)) *
                               plan.layout.pp * plan.layout.virtualStages * 2;
    if (steps > mostSteps)
        return std::numeric_limits<double>::quiet_NaN();
    return meanIdleShare(play(generate(scheduleRequest(plan)),
                              evenCosts(plan.layout.pp, plan.layout.virtualStages, 1, 1, 1)));
}

Figure bubbleFigure(const RunPlan& plan)
{
    Figure figure{QStringLiteral("Bubble"), dash(), QStringLiteral("closed form, free transfers"),
                  QStringLiteral("Idle share of a stage's step if transfers cost nothing and all "
                                 "stages are equal")};
    if (plan.training.batch.microbatches(plan.layout.dp) <= 0)
        return figure;
    double played = 0;
    try {
        played = playedBubble(plan);
    } catch (const Error& error) {
        figure.meaning = QStringLiteral("this plan has no schedule");
        figure.explanation += QStringLiteral("\n") + toQString(error.object());
        return figure;
    }
    const PlanClosedForm closed = planClosedForm(plan);
    const QString form = toQString(closed.form.idleText);
    const double bubble = closedBubble(closed.form);
    if (!std::isfinite(bubble)) {
        figure.value = std::isfinite(played) ? toQString(units::percent(played)) : dash();
        figure.meaning = std::isfinite(played) ? QStringLiteral("played; no closed form")
                                               : QStringLiteral("no closed form");
        figure.explanation += QStringLiteral("\n%1, %2").arg(form, toQString(closed.assumes));
        return figure;
    }
    figure.value = toQString(units::percent(bubble));
    figure.explanation += QStringLiteral("\nIdle: %1, %2; %3 of an ideal step")
                              .arg(form, toQString(closed.assumes),
                                   toQString(units::percent(*closed.form.idleOverIdeal())));
    if (bubble > 0.34)
        figure.tone = Tone::Warning;
    return figure;
}

Figure workFigure(const RunPlan& plan)
{
    const BatchShape& batch = plan.training.batch;
    const double tokens = double(batch.globalBatch) * batch.sequence;
    const double flops = trainingFlopsPerToken(plan.model, std::max(1, batch.sequence)) * tokens;
    return {
        QStringLiteral("Work a step"), flopsText(flops), QStringLiteral("forward and backward"),
        QStringLiteral("Model FLOPs of one step: matrix products and causal attention, backward "
                       "counted twice, nothing recomputed")};
}

Figure memoryFigure(const RunPlan& plan, const std::vector<RankShare>& shares)
{
    Figure figure{QStringLiteral("Fullest rank"), dash(),
                  QStringLiteral("weights, gradients, optimizer"),
                  QStringLiteral("Bytes of the fullest rank for weights, gradients and both AdamW "
                                 "moments, float32; activations come on top")};
    const auto fullest =
        std::max_element(shares.begin(), shares.end(), [](const RankShare& a, const RankShare& b) {
            return a.parameters < b.parameters;
        });
    if (fullest == shares.end())
        return figure;
    const Rank rank = rankOf(plan.layout, {0, fullest->tensor, fullest->stage});
    figure.value = toQString(units::bytes(fullest->totalBytes()));
    figure.explanation += QStringLiteral("\nrank %1, stage %2").arg(rank.value).arg(fullest->stage);
    return figure;
}

Figure tokensFigure(const RunPlan& plan)
{
    const BatchShape& batch = plan.training.batch;
    return {QStringLiteral("Tokens a step"),
            wholeNumber(std::int64_t(batch.globalBatch) * batch.sequence),
            QStringLiteral("%1 of %2")
                .arg(counted(batch.globalBatch, QStringLiteral("sequence")),
                     wholeNumber(batch.sequence)),
            QStringLiteral("Global batch × sequence length")};
}

} // namespace

std::vector<Figure> planFigures(const RunPlan& plan, const std::vector<RankShare>& shares,
                                int cores)
{
    return {parametersFigure(plan), ranksFigure(plan, cores), microbatchFigure(plan),
            bubbleFigure(plan),     workFigure(plan),         memoryFigure(plan, shares),
            tokensFigure(plan)};
}

QString lossUnit(const RunPlan& plan)
{
    return QString::fromLatin1(unitOfLoss(plan));
}

QString layoutText(const Layout& layout)
{
    return QStringLiteral("%1 × %2 × %3").arg(layout.dp).arg(layout.tp).arg(layout.pp);
}

} // namespace triaxis::ui
