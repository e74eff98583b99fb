#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// Another order in which ranks run through the axes.
class SetRankOrder : public PlanCommand
{
public:
    SetRankOrder(PlanDocument& document, const RankOrder& order);
};

} // namespace triaxis::ui
