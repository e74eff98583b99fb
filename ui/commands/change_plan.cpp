#include "ui/commands/change_plan.h"

namespace triaxis::ui
{

ChangePlan::ChangePlan(PlanDocument& document, DrawnPlan after, const QString& text, int gesture)
    : PlanCommand(document, std::move(after), text, gesture)
{
}

} // namespace triaxis::ui
