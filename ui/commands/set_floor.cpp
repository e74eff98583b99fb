#include "ui/commands/set_floor.h"

namespace triaxis::ui
{

namespace
{

/// A placement by hand does not outlive nodes of another size.
DrawnPlan changed(DrawnPlan plan, const DrawnCluster& cluster)
{
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
