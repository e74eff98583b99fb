#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another size of a parallel axis. An explicit layer split does not outlive a change of the
/// pipeline.
class SetAxisSize : public PlanCommand
{
public:
    SetAxisSize(PlanDocument& document, Axis axis, int size);
};

} // namespace triaxis::ui
