#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another pipeline schedule.
class SetSchedule : public PlanCommand
{
public:
    SetSchedule(PlanDocument& document, const std::string& schedule);
};

} // namespace triaxis::ui
