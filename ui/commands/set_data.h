#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another source of the training text.
class SetData : public PlanCommand
{
public:
    SetData(PlanDocument& document, const DataPlan& data);
};

} // namespace triaxis::ui
