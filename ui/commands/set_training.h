#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Steps, learning rate or seed; `text` says which.
class SetTraining : public PlanCommand
{
public:
    SetTraining(PlanDocument& document, const TrainingPlan& training, const QString& text);
};

} // namespace triaxis::ui
