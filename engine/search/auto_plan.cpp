#include "engine/search/auto_plan.h"

#include "engine/schedule/schedule_csv.h"
#include "engine/search/plan_costs.h"

namespace triaxis
{
namespace
{

bool slotsFit(const PacePlan& pace, const RunPlan& plan)
{
    const auto positions = std::size_t(plan.layout.pp) * std::size_t(plan.layout.virtualStages);
    return !pace.active() || pace.forward.size() == 1 || pace.forward.size() == positions;
}

} // namespace

AutoSchedule chooseSchedule(RunPlan& plan, double memory)
{
    RunPlan whole = plan;
    whole.layout.virtualStages = 1;
    if (plan.layout.virtualStages != 1)
        whole.layout.layersPerStage.clear();
    AutoRequest request;
    request.stages = plan.layout.pp;
    request.microbatches = plan.training.batch.microbatches(plan.layout.dp);
    request.memory = memory;
    request.costs = planCosts(whole);
    RunPlan halves = whole;
    halves.layout.virtualStages = 2;
    if (whole.layout.layersPerStage.empty() && plan.model.layers >= 2 * plan.layout.pp &&
        slotsFit(plan.execution.pace, halves))
        request.halves = planCosts(halves);
    AutoSchedule found = searchSchedule(request);
    plan.layout = whole.layout;
    plan.layout.virtualStages = found.program.chunks / found.program.replicas;
    plan.training.schedule = "auto";
    plan.training.scheduleCsv = toCsv(found.program);
    return found;
}

} // namespace triaxis
