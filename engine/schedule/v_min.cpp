#include "engine/schedule/building_block.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{
namespace
{

/// The fastest way through the V, one slot a stage: a microbatch keeps its two chunks for 4P slots
/// in all. What goes down and what goes up uses slots of different parity; where 3 divides P,
/// longer turns keep those of the same parity apart.
ComputeProgram vMin(const ScheduleRequest& request)
{
    BuildingBlock block;
    if (request.stages % 3 == 0)
        block.turn = block.turnBack = 3;
    return fromBuildingBlock(request, block);
}

} // namespace

NamedSchedule vMinSchedule()
{
    ScheduleInfo info;
    info.name = "v-min";
    info.title = "V-Min";
    info.source = "Qi et al., Pipeline Parallelism with Controllable Memory, 2024";
    info.summary = "Two chunks a stage in a V and a split backward, ordered for the least memory: "
                   "about a third of 1F1B's, and two thirds of its bubble for equal times.";
    info.minimumVirtual = info.maximumVirtual = 2;
    info.splitsBackward = true;
    return {info, vMin};
}

} // namespace triaxis
