#include "engine/core/error.h"
#include "engine/simulate/plan_changes.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/mend.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

bool isSound(const DrawnPlan& plan)
{
    return !hasErrors(checkDrawn(plan));
}

/// Exactly as many nodes as the ranks need.
std::vector<DrawnMend> nodeMends(DrawnPlan plan)
{
    const int now = plan.cluster.nodes;
    const int ranks = drawnLayout(plan).ranks();
    const int needed = (ranks + plan.cluster.nodeSize - 1) / plan.cluster.nodeSize;
    if (needed == now)
        return {};
    plan.cluster.nodes = needed;
    plan.deviceOfRank.clear();
    return {{plan, Words::tr("nodes %1 → %2").arg(now).arg(needed)}};
}

/// Ranks in their own order, or else the largest tensor size that stays inside a node.
std::vector<DrawnMend> reachMends(const DrawnPlan& plan)
{
    if (!plan.deviceOfRank.empty()) {
        DrawnPlan ordered = plan;
        ordered.deviceOfRank.clear();
        return {{ordered, Words::tr("ranks in their own order")}};
    }
    const Layout& layout = plan.run.layout;
    if (layout.order != megatronOrder) {
        DrawnPlan ordered = plan;
        ordered.run.layout.order = megatronOrder;
        return {{ordered, Words::tr("tensor axis fastest")}};
    }
    for (int tp = std::min(layout.tp, plan.cluster.nodeSize); tp >= 1; --tp) {
        const std::int64_t ranks = std::int64_t(layout.dp) * layout.tp;
        if (plan.cluster.nodeSize % tp != 0 || ranks % tp != 0 || tp == layout.tp)
            continue;
        const DrawnPlan smaller = withAxisSizes(plan, int(ranks / tp), tp, layout.pp);
        if (isSound(smaller))
            return {{smaller, Words::tr("tensor parallel size %1 → %2").arg(layout.tp).arg(tp)}};
    }
    return {};
}

/// Any change of the setting that the finding is about after which nothing is wrong.
std::vector<DrawnMend> settingMends(const DrawnPlan& plan, const Diagnostic& finding)
{
    try {
        for (const PlanChange& change : planChanges(trainingJob(plan), parallelPlan(plan))) {
            if (change.setting != finding.where)
                continue;
            const DrawnPlan changed = withParallelPlan(plan, change.plan);
            if (isSound(changed))
                return {{changed, spoken(change.what + " " + change.change)}};
        }
    } catch (const Error&) {
        return {}; // an unknown profile has no job to change; the finding says so
    }
    return {};
}

/// The nearest batch that every replica divides.
std::vector<DrawnMend> batchMends(DrawnPlan plan)
{
    BatchShape& batch = plan.run.training.batch;
    const int now = batch.globalBatch;
    const std::int64_t share = std::int64_t(plan.run.layout.dp) * batch.microbatch;
    if (share < 1 || share > (1 << 30) || now % share == 0)
        return {};
    batch.globalBatch = int(std::max<std::int64_t>(1, (now + share / 2) / share) * share);
    if (!isSound(plan))
        return {};
    return {{plan, Words::tr("global batch %1 → %2").arg(now).arg(batch.globalBatch)}};
}

} // namespace

std::vector<DrawnMend> drawnMends(const DrawnPlan& plan, const Diagnostic& finding)
{
    if (finding.severity == Severity::Note)
        return {};
    if (finding.where == "cluster.nodes")
        return nodeMends(plan);
    if (finding.where == "placement") {
        DrawnPlan ordered = plan;
        ordered.deviceOfRank.clear();
        return {{ordered, Words::tr("ranks in their own order")}};
    }
    const bool onCluster = !plan.cluster.thisMachine;
    if (onCluster && finding.where.starts_with("rank ") && finding.severity == Severity::Warning)
        return reachMends(plan);
    if (plan.trainable)
        if (const auto mend = findMend(plan.run, finding))
            return {{withRun(plan, mend->plan), mend->change}};
    if (!onCluster || finding.severity != Severity::Error)
        return {};
    std::vector<DrawnMend> mends = settingMends(plan, finding);
    if (mends.empty() && finding.where == "training.microbatch")
        mends = batchMends(plan);
    return mends;
}

} // namespace triaxis::ui
