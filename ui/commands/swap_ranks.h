#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Two ranks change places on the floor.
class SwapRanks : public PlanCommand
{
public:
    SwapRanks(PlanDocument& document, Rank a, Rank b);
};

} // namespace triaxis::ui
