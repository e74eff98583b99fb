#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// What the run will be called in the history.
class SetLabel : public PlanCommand
{
public:
    SetLabel(PlanDocument& document, const std::string& label);
};

} // namespace triaxis::ui
