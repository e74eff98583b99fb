#pragma once

#include "ui/commands/plan_command.h"
#include "ui/plan/mend.h"

namespace triaxis::ui
{

/// Takes over a change that mends a finding.
class ApplyMend : public PlanCommand
{
public:
    ApplyMend(PlanDocument& document, const DrawnMend& mend);
};

} // namespace triaxis::ui
