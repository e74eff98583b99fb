#pragma once

#include "ui/commands/plan_command.h"

namespace triaxis::ui
{

/// All three sizes at once, as an axis is stretched over the floor; the moves of one drag are one
/// step.
class SetAxisSizes : public PlanCommand
{
public:
    SetAxisSizes(PlanDocument& document, int dp, int tp, int pp, int gesture = 0);
};

} // namespace triaxis::ui
