#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Any other change of the plan as a whole: settings, a layout that a search has found, a mend.
class ChangePlan : public PlanCommand
{
public:
    ChangePlan(PlanDocument& document, DrawnPlan after, const QString& text, int gesture = 0);
};

} // namespace triaxis::ui
