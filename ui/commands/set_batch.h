#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Global batch, microbatch or sequence length; `text` says which.
class SetBatch : public PlanCommand
{
public:
    SetBatch(PlanDocument& document, const BatchShape& batch, const QString& text);
};

} // namespace triaxis::ui
