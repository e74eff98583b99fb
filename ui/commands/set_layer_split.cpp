#include "ui/commands/set_layer_split.h"
#include "ui/base/words.h"

namespace triaxis::ui
{
namespace
{

/// The default split is stored as no split, so that it follows the number of stages.
RunPlan changed(RunPlan plan, std::vector<int> layersPerStage)
{
    const int stages = plan.layout.pp * plan.layout.virtualStages;
    if (layersPerStage == defaultLayerSplit(plan.model.layers, stages))
        layersPerStage.clear();
    plan.layout.layersPerStage = std::move(layersPerStage);
    return plan;
}

} // namespace

SetLayerSplit::SetLayerSplit(PlanDocument& document, std::vector<int> layersPerStage, int gesture)
    : PlanCommand(document, changed(document.plan(), std::move(layersPerStage)),
                  Words::tr("layers per stage"), gesture)
{
}

} // namespace triaxis::ui
