#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// A model that can only be predicted.
class SetShape : public PlanCommand
{
public:
    SetShape(PlanDocument& document, const ModelShape& shape);
};

} // namespace triaxis::ui
