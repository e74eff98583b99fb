#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another cluster, or other figures of it; `text` says which. Steps of one control that is turned
/// are one step.
class SetFloor : public PlanCommand
{
public:
    SetFloor(PlanDocument& document, const DrawnCluster& cluster, const QString& text,
             int gesture = 0);
};

} // namespace triaxis::ui
