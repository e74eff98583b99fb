#pragma once

#include "ui/base/words.h"
#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Puts the whole plan of a run in place of the one that is drawn.
class OpenPlan : public PlanCommand
{
public:
    OpenPlan(PlanDocument& document, const RunPlan& plan)
        : PlanCommand(document, plan, Words::tr("plan of a run"))
    {
    }
};

} // namespace triaxis::ui
