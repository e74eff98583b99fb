#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Layers of each stage; the moves of one drag are one step.
class SetLayerSplit : public PlanCommand
{
public:
    SetLayerSplit(PlanDocument& document, std::vector<int> layersPerStage, int gesture);
};

} // namespace triaxis::ui
