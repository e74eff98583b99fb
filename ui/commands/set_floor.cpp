#include "ui/commands/set_floor.h"

#include <algorithm>

namespace triaxis::ui
{

namespace
{

/// Whether a placement by hand still has its devices.
bool keepsPlacement(const DrawnPlan& plan, const DrawnCluster& cluster)
{
    return std::all_of(plan.deviceOfRank.begin(), plan.deviceOfRank.end(),
                       [&](int device) { return device < cluster.devices(); });
}

/// Ranks here are dealt out over as many nodes as are asked for, unless they were placed by hand.
DrawnCluster dealtOut(const DrawnPlan& plan, DrawnCluster cluster)
{
    const bool otherNodes = cluster.nodes != plan.cluster.nodes;
    const bool byHand = !plan.deviceOfRank.empty() && keepsPlacement(plan, cluster);
    if (!cluster.thisMachine || !otherNodes || byHand || cluster.nodes < 1)
        return cluster;
    const int ranks = std::max(1, drawnLayout(plan).ranks());
    cluster.nodeSize = ranks / cluster.nodes + (ranks % cluster.nodes != 0 ? 1 : 0);
    return cluster;
}

/// A placement by hand does not outlive nodes of another size.
DrawnPlan changed(DrawnPlan plan, const DrawnCluster& wanted)
{
    const DrawnCluster cluster = dealtOut(plan, wanted);
    if (plan.cluster.nodeSize != cluster.nodeSize ||
        plan.cluster.thisMachine != cluster.thisMachine)
        plan.deviceOfRank.clear();
    plan.cluster = cluster;
    return plan;
}

} // namespace

SetFloor::SetFloor(PlanDocument& document, const DrawnCluster& cluster, const QString& text,
                   int gesture)
    : PlanCommand(document, changed(document.drawn(), cluster), text, gesture)
{
}

} // namespace triaxis::ui
