#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another pipeline schedule. The chunks a stage become what it takes; one that takes several
/// begins with two.
class SetSchedule : public PlanCommand
{
public:
    SetSchedule(PlanDocument& document, const std::string& schedule);
    /// An order of its own, "custom" or "auto", in CSV form; `virtualStages`: the chunks a stage
    /// that it has.
    SetSchedule(PlanDocument& document, const std::string& schedule, const std::string& csv,
                int virtualStages);
};

/// Another number of chunks a stage.
class SetVirtualStages : public PlanCommand
{
public:
    SetVirtualStages(PlanDocument& document, int virtualStages);
};

} // namespace triaxis::ui
