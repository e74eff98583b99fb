#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another model, from random weights.
class SetModel : public PlanCommand
{
public:
    SetModel(PlanDocument& document, const ModelSpec& model);
};

} // namespace triaxis::ui
