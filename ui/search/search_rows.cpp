#include "ui/search/search_rows.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"
#include "engine/search/exact_prices.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QStringList>

#include <algorithm>
#include <tuple>

namespace triaxis::ui
{
namespace
{

auto tied(const ParallelPlan& plan)
{
    return std::tie(plan.dp, plan.tp, plan.cp, plan.pp, plan.virtualStages, plan.ep, plan.expertTp,
                    plan.microbatch, plan.schedule, plan.sequenceParallel, plan.zero,
                    plan.shardGroup, plan.recompute, plan.recomputedLayers, plan.offloadActivations,
                    plan.vocabularyBarriers, plan.scheduleMemory, plan.layersPerStage);
}

} // namespace

bool sameLayout(const ParallelPlan& one, const ParallelPlan& other)
{
    return tied(one) == tied(other);
}

std::optional<PricedPlan> priceOf(const TrainingJob& job, const ParallelPlan& plan)
{
    const std::vector<Diagnostic> findings = checkPlan(job, plan);
    if (std::any_of(findings.begin(), findings.end(),
                    [](const Diagnostic& finding) { return finding.severity == Severity::Error; }))
        return {};
    try {
        ExactPrices prices(job);
        return PricedPlan{plan, prices.seconds(plan), prices.memory(plan)};
    } catch (const Error&) {
        return {};
    }
}

std::vector<SearchRow> rowsOf(const SearchResult& result, const TrainingJob& job,
                              const std::optional<PricedPlan>& drawn)
{
    std::vector<SearchRow> rows;
    const double tokens = double(job.globalBatch) * job.sequence;
    const auto add = [&](const PricedPlan& priced) -> SearchRow& {
        for (SearchRow& row : rows)
            if (sameLayout(row.priced.plan, priced.plan))
                return row;
        rows.push_back({priced, tokens / priced.seconds});
        return rows.back();
    };
    for (const PricedPlan& priced : result.best)
        add(priced);
    for (const PricedPoint& point : result.front)
        add({planOf(point.point), point.seconds, point.memory}).onFront = true;
    if (result.thumb)
        add(*result.thumb).thumb = true;
    if (drawn)
        add(*drawn).drawn = true;
    std::stable_sort(rows.begin(), rows.end(), [](const SearchRow& a, const SearchRow& b) {
        return a.priced.seconds < b.priced.seconds;
    });
    return rows;
}

QString sizesText(const ParallelPlan& plan)
{
    QString text = QStringLiteral("%1 × %2 × %3").arg(plan.dp).arg(plan.tp).arg(plan.pp);
    if (plan.cp > 1)
        text += Words::tr(", context %1").arg(plan.cp);
    if (plan.ep > 1)
        text += Words::tr(", expert %1").arg(plan.ep);
    if (plan.expertTp > 1)
        text += Words::tr(", expert tensor %1").arg(plan.expertTp);
    return text;
}

QString scheduleText(const ParallelPlan& plan)
{
    const QString title = spoken(scheduleTitle(plan.schedule));
    return plan.virtualStages > 1 ? Words::tr("%1, %2 chunks").arg(title).arg(plan.virtualStages)
                                  : title;
}

QString settingsText(const ParallelPlan& plan)
{
    QStringList parts;
    // First what two layouts of equal sizes are most often told apart by.
    if (!plan.layersPerStage.empty())
        parts << Words::tr("uneven layers");
    if (plan.recompute == Recompute::Full && plan.recomputedLayers >= 0)
        parts << Words::tr("recompute of %1").arg(
            counted(plan.recomputedLayers, QStringLiteral("layer")));
    else if (plan.recompute != Recompute::None)
        parts << Words::tr("%1 recompute").arg(spoken(toText(plan.recompute)));
    if (plan.zero != ZeroStage::None)
        parts << Words::tr("ZeRO ") + spoken(toText(plan.zero));
    if (plan.shardGroup > 0)
        parts << Words::tr("shards over %1").arg(plan.shardGroup);
    if (plan.sequenceParallel)
        parts << Words::tr("sequence parallel");
    if (plan.offloadActivations)
        parts << Words::tr("offload");
    if (plan.vocabularyBarriers > 0)
        parts << Words::tr("split vocabulary");
    return parts.join(QStringLiteral(", "));
}

} // namespace triaxis::ui
