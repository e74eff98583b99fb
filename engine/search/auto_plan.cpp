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
    RunPlan base = plan;
    base.layout.virtualStages = 1;
    if (plan.layout.virtualStages != 1)
        base.layout.layersPerStage.clear();
    RunPlan halves = base;
    halves.layout.virtualStages = 2;
    AutoRequest request;
    request.stages = plan.layout.pp;
    request.microbatches = plan.training.batch.microbatches(plan.layout.dp);
    request.memory = memory;
    const bool fixed = !base.layout.layersPerStage.empty() || !slotsFit(plan.execution.pace, halves);
    request.mostChunks = !fixed && plan.model.layers >= 2 * plan.layout.pp ? 2 : 1;
    request.costs = [&](const ComputeProgram& placement) {
        return planCosts(placement.chunks > placement.replicas ? halves : base);
    };
    AutoSchedule found = searchSchedule(request);
    plan.layout = base.layout;
    plan.layout.virtualStages = found.program.chunks / found.program.replicas;
    plan.training.schedule = "auto";
    plan.training.scheduleCsv = toCsv(found.program);
    return found;
}

} // namespace triaxis
