#include "tests/engine/plan/random_plans.h"

#include "engine/formats/hf_config.h"
#include "engine/formats/shape_presets.h"
#include "engine/record/demo_plan.h"
#include "engine/schedule/generators.h"

namespace triaxis::tests
{
namespace
{

int upTo(std::mt19937& random, int most)
{
    return std::uniform_int_distribution<int>(0, most)(random);
}

template <class Values>
const auto& oneOf(const Values& values, std::mt19937& random)
{
    return values[std::size_t(upTo(random, int(values.size()) - 1))];
}

int powerOfTwo(std::mt19937& random, int most)
{
    return 1 << upTo(random, most);
}

DrawnPlan otherModel(DrawnPlan plan, std::mt19937& random)
{
    if (upTo(random, 3) == 0)
        return withShape(std::move(plan), oneOf(shapePresets(), random).shape);
    const std::vector<std::string> names = modelPresets();
    return withModel(std::move(plan), modelPreset(oneOf(names, random)));
}

DrawnPlan otherSchedule(DrawnPlan plan, std::mt19937& random)
{
    const ScheduleInfo& info = schedules()[std::size_t(upTo(random, int(schedules().size()) - 3))];
    plan.run.training.schedule = info.name;
    plan.run.layout.virtualStages = info.minimumVirtual;
    plan.run.layout.layersPerStage.clear();
    return plan;
}

DrawnPlan otherFigure(DrawnPlan plan, std::mt19937& random)
{
    LinkLevel& level = plan.cluster.network.levels.back();
    level.bandwidth *= 1 + 0.37 * upTo(random, 5);
    level.latency *= 1 + 0.11 * upTo(random, 5);
    if (upTo(random, 2) == 0)
        plan.cluster.mixed.push_back(
            {upTo(random, 3), 1 + upTo(random, 3), oneOf(devicePresets(), random)});
    return plan;
}

DrawnPlan otherSettings(DrawnPlan plan, std::mt19937& random)
{
    plan.precision = NumberFormat(upTo(random, 5));
    plan.zero = ZeroStage(upTo(random, 3));
    plan.recompute = Recompute(upTo(random, 2));
    plan.sequenceParallel = upTo(random, 1) == 1;
    plan.software = oneOf(softwareProfiles(), random).name;
    plan.cp = powerOfTwo(random, 2);
    plan.ep = powerOfTwo(random, 3);
    plan.shardGroup = upTo(random, 1) * powerOfTwo(random, 3);
    plan.offloadActivations = upTo(random, 3) == 0;
    plan.vocabularyBarriers = upTo(random, 2);
    plan.scheduleMemory = upTo(random, 1) * (1 + 0.5 * upTo(random, 9));
    plan.deviceOfRank.clear();
    return plan;
}

} // namespace

DrawnPlan randomEdit(DrawnPlan plan, std::mt19937& random)
{
    switch (upTo(random, 9)) {
    case 0:
        return withAxisSizes(std::move(plan), powerOfTwo(random, 4), powerOfTwo(random, 4),
                             1 + upTo(random, 8));
    case 1: {
        const int ranks = drawnLayout(plan).ranks();
        return withRanksSwapped(std::move(plan), Rank(upTo(random, ranks)),
                                Rank(upTo(random, ranks)));
    }
    case 2:
        return withNetwork(std::move(plan), oneOf(clusterPresets(), random));
    case 3:
        return otherModel(std::move(plan), random);
    case 4:
        return otherSchedule(std::move(plan), random);
    case 5:
        return otherFigure(std::move(plan), random);
    case 6:
        return otherSettings(std::move(plan), random);
    case 7:
        plan.run.training.batch = {powerOfTwo(random, 9), powerOfTwo(random, 2),
                                   powerOfTwo(random, 12)};
        return plan;
    case 8:
        plan.cluster.nodes = 1 + upTo(random, 40);
        plan.cluster.rack = 1 + upTo(random, 8);
        return plan;
    default:
        plan.cluster.thisMachine = !plan.cluster.thisMachine;
        plan.deviceOfRank.clear();
        return withAxisSizes(std::move(plan), powerOfTwo(random, 2), powerOfTwo(random, 2),
                             powerOfTwo(random, 2));
    }
}

DrawnPlan randomPlan(std::mt19937& random)
{
    RunPlan run = demoPlan();
    run.data = {};
    DrawnPlan plan = drawnPlan(run);
    for (int edits = upTo(random, 12); edits >= 0; --edits)
        plan = randomEdit(std::move(plan), random);
    return plan;
}

} // namespace triaxis::tests
