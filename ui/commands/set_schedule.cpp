#include "ui/commands/set_schedule.h"

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const std::string& schedule)
{
    plan.training.schedule = schedule;
    return plan;
}

} // namespace

SetSchedule::SetSchedule(PlanDocument& document, const std::string& schedule)
    : PlanCommand(document, changed(document.plan(), schedule), QStringLiteral("schedule"))
{
}

} // namespace triaxis::ui
