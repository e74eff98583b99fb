#include "ui/commands/set_schedule.h"

#include "engine/schedule/generators.h"
#include "ui/base/words.h"

#include <algorithm>

namespace triaxis::ui
{
namespace
{

RunPlan changed(RunPlan plan, const std::string& schedule)
{
    const ScheduleInfo& info = scheduleInfo(schedule);
    const int before = plan.layout.virtualStages;
    const bool hadChunks = scheduleInfo(plan.training.schedule).maximumVirtual > 1;
    const int wish = info.maximumVirtual > 1 && !hadChunks ? std::max(2, before) : before;
    plan.layout.virtualStages = std::clamp(wish, info.minimumVirtual, info.maximumVirtual);
    if (plan.layout.virtualStages != before)
        plan.layout.layersPerStage.clear();
    plan.training.schedule = schedule;
    plan.training.scheduleCsv.clear();
    return plan;
}

RunPlan changed(RunPlan plan, const std::string& schedule, const std::string& csv,
                int virtualStages)
{
    if (plan.layout.virtualStages != virtualStages)
        plan.layout.layersPerStage.clear();
    plan.layout.virtualStages = virtualStages;
    plan.training.schedule = schedule;
    plan.training.scheduleCsv = csv;
    return plan;
}

RunPlan changed(RunPlan plan, int virtualStages)
{
    if (plan.layout.virtualStages != virtualStages)
        plan.layout.layersPerStage.clear();
    plan.layout.virtualStages = virtualStages;
    return plan;
}

} // namespace

SetSchedule::SetSchedule(PlanDocument& document, const std::string& schedule)
    : PlanCommand(document, changed(document.plan(), schedule), Words::tr("schedule"))
{
}

SetSchedule::SetSchedule(PlanDocument& document, const std::string& schedule,
                         const std::string& csv, int virtualStages)
    : PlanCommand(document, changed(document.plan(), schedule, csv, virtualStages),
                  Words::tr("schedule"))
{
}

SetVirtualStages::SetVirtualStages(PlanDocument& document, int virtualStages)
    : PlanCommand(document, changed(document.plan(), virtualStages), Words::tr("chunks a stage"))
{
}

} // namespace triaxis::ui
