#include "ui/commands/set_model.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const ModelSpec& model)
{
    if (plan.model.layers != model.layers)
        plan.layout.layersPerStage.clear();
    plan.model = model;
    plan.weights.clear();
    return plan;
}

} // namespace

SetModel::SetModel(PlanDocument& document, const ModelSpec& model)
    : PlanCommand(document, changed(document.plan(), model), QStringLiteral("model"))
{
}

} // namespace triaxis::ui
