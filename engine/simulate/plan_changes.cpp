#include "engine/simulate/plan_changes.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"

#include <algorithm>

namespace triaxis
{
namespace
{

class Changes
{
public:
    explicit Changes(const ParallelPlan& plan) : m_plan(plan) {}

    void size(const std::string& what, const std::string& setting, int ParallelPlan::*member)
    {
        const int value = m_plan.*member;
        constexpr int most = 1 << 20;
        if (value <= most)
            change(what, setting, member, 2 * value);
        if (value % 2 == 0)
            change(what, setting, member, value / 2);
    }

    template <class Value>
    void choice(const std::string& what, const std::string& setting, Value ParallelPlan::*member,
                Value value, const std::string& text)
    {
        if (m_plan.*member == value)
            return;
        ParallelPlan changed = m_plan;
        changed.*member = value;
        add(what, text, setting, std::move(changed));
    }

    void add(const std::string& what, const std::string& text, const std::string& setting,
             ParallelPlan changed)
    {
        if (changed.pp * changed.virtualStages != m_plan.pp * m_plan.virtualStages)
            changed.layersPerStage.clear(); // a split of another pipeline
        const int others = changed.tp * changed.cp * changed.pp;
        if (others < 1 || m_plan.devices() % others != 0)
            return;
        changed.dp = m_plan.devices() / others;
        all.push_back({what, text, setting, std::move(changed)});
    }

    std::vector<PlanChange> all;

private:
    void change(const std::string& what, const std::string& setting, int ParallelPlan::*member,
                int value)
    {
        ParallelPlan changed = m_plan;
        changed.*member = value;
        add(what, std::to_string(m_plan.*member) + " → " + std::to_string(value), setting,
            std::move(changed));
    }

    const ParallelPlan& m_plan;
};

/// Straight schedules take V = 1, interleaved ones more: the schedule follows the number.
void addVirtualStages(Changes& changes, const TrainingJob& job, const ParallelPlan& plan)
{
    for (const int stages : {plan.virtualStages * 2, plan.virtualStages / 2}) {
        const bool straight = plan.schedule == "1f1b" || plan.schedule == "interleaved";
        if (stages < 1 || !straight || plan.pp == 1 || stages * plan.pp > job.model.layers + 2)
            continue;
        ParallelPlan changed = plan;
        changed.virtualStages = stages;
        changed.schedule = stages > 1 ? "interleaved" : "1f1b";
        changes.add("chunks a stage",
                    std::to_string(plan.virtualStages) + " → " + std::to_string(stages),
                    "layout.virtualStages", std::move(changed));
    }
}

void addSchedules(Changes& changes, const ParallelPlan& plan)
{
    if (plan.pp == 1)
        return;
    for (const ScheduleInfo& info : schedules()) {
        if (info.name == plan.schedule || info.name == "custom" || info.name == "auto")
            continue;
        ParallelPlan changed = plan;
        changed.schedule = info.name;
        changed.virtualStages =
            std::clamp(plan.virtualStages, info.minimumVirtual, info.maximumVirtual);
        changes.add("schedule", scheduleTitle(plan.schedule) + " → " + info.title,
                    "training.schedule", std::move(changed));
    }
}

} // namespace

std::vector<PlanChange> planChanges(const TrainingJob& job, const ParallelPlan& plan)
{
    Changes changes(plan);
    changes.size("tensor-parallel size", "layout.tp", &ParallelPlan::tp);
    changes.size("pipeline-parallel size", "layout.pp", &ParallelPlan::pp);
    changes.size("context-parallel size", "layout.cp", &ParallelPlan::cp);
    if (job.model.expert.experts > 0)
        changes.size("expert-parallel size", "layout.ep", &ParallelPlan::ep);
    changes.size("microbatch", "training.microbatch", &ParallelPlan::microbatch);
    addVirtualStages(changes, job, plan);
    addSchedules(changes, plan);
    if (plan.tp > 1)
        changes.choice("sequence parallelism", "layout.sequenceParallel",
                       &ParallelPlan::sequenceParallel, !plan.sequenceParallel,
                       plan.sequenceParallel ? "off" : "on");
    for (const ZeroStage zero :
         {ZeroStage::None, ZeroStage::Optimizer, ZeroStage::Gradients, ZeroStage::Parameters})
        if (plan.dp * plan.cp > 1)
            changes.choice("ZeRO stage", "layout.zero", &ParallelPlan::zero, zero,
                           std::string(toText(plan.zero)) + " → " + toText(zero));
    for (const Recompute recompute : {Recompute::None, Recompute::Selective, Recompute::Full})
        changes.choice("recompute", "layout.recompute", &ParallelPlan::recompute, recompute,
                       std::string(toText(plan.recompute)) + " → " + toText(recompute));
    return std::move(changes.all);
}

} // namespace triaxis
