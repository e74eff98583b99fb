#include "ui/commands/set_axis_size.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

QString textOf(Axis axis, int size)
{
    switch (axis) {
    case Axis::Data:
        return Words::tr("data parallel size %1").arg(size);
    case Axis::Tensor:
        return Words::tr("tensor parallel size %1").arg(size);
    case Axis::Pipeline:
        return Words::tr("pipeline parallel size %1").arg(size);
    }
    return {};
}

/// On a cluster the data axis takes up what another one gives or needs, as far as that divides.
DrawnPlan changed(const DrawnPlan& plan, Axis axis, int size)
{
    const Layout& now = plan.run.layout;
    if (axis == Axis::Data)
        return withAxisSizes(plan, size, now.tp, now.pp);
    const int tp = axis == Axis::Tensor ? size : now.tp;
    const int pp = axis == Axis::Pipeline ? size : now.pp;
    const std::int64_t ranks = std::int64_t(now.dp) * now.tp * now.pp;
    const std::int64_t others = std::int64_t(tp) * pp;
    const bool divides = others > 0 && ranks % others == 0;
    const int dp = !plan.cluster.thisMachine && divides ? int(ranks / others) : now.dp;
    return withAxisSizes(plan, dp, tp, pp);
}

} // namespace

SetAxisSize::SetAxisSize(PlanDocument& document, Axis axis, int size)
    : PlanCommand(document, changed(document.drawn(), axis, size), textOf(axis, size))
{
}

} // namespace triaxis::ui
