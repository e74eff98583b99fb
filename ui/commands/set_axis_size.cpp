#include "ui/commands/set_axis_size.h"

namespace triaxis::ui
{
namespace
{

QString textOf(Axis axis, int size)
{
    switch (axis) {
    case Axis::Data:
        return QStringLiteral("data parallel size %1").arg(size);
    case Axis::Tensor:
        return QStringLiteral("tensor parallel size %1").arg(size);
    case Axis::Pipeline:
        return QStringLiteral("pipeline parallel size %1").arg(size);
    }
    return {};
}

RunPlan changed(RunPlan plan, Axis axis, int size)
{
    switch (axis) {
    case Axis::Data:
        plan.layout.dp = size;
        break;
    case Axis::Tensor:
        plan.layout.tp = size;
        break;
    case Axis::Pipeline:
        if (plan.layout.pp != size)
            plan.layout.layersPerStage.clear();
        plan.layout.pp = size;
        break;
    }
    return plan;
}

} // namespace

SetAxisSize::SetAxisSize(PlanDocument& document, Axis axis, int size)
    : PlanCommand(document, changed(document.plan(), axis, size), textOf(axis, size))
{
}

} // namespace triaxis::ui
