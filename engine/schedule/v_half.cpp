#include "engine/schedule/building_block.h"
#include "engine/schedule/named_schedule.h"

namespace triaxis
{
namespace
{

/// Three slots a stage down and up together: a microbatch keeps its two chunks for 6P slots in all,
/// half of what ZB-V takes. On every stage the way there and back differ by 3 modulo 6 from stage
/// to stage, so that the slots differ for all stages if they do for one; the turns see to that one.
ComputeProgram vHalf(const ScheduleRequest& request)
{
    BuildingBlock block;
    block.downStep = 2;
    block.upStep = 1;
    if (request.stages % 2 == 0) {
        block.turn = 4;
        block.turnBack = 5;
    } else {
        block.turnBack = 2;
    }
    return fromBuildingBlock(request, block);
}

} // namespace

NamedSchedule vHalfSchedule()
{
    ScheduleInfo info;
    info.name = "v-half";
    info.title = "V-Half";
    info.source = "Qi et al., Pipeline Parallelism with Controllable Memory, 2024";
    info.summary = "Two chunks a stage in a V and a split backward, ordered for memory: half of "
                   "1F1B's activations, P/2 + 1, and about half of its bubble.";
    info.minimumVirtual = info.maximumVirtual = 2;
    info.splitsBackward = true;
    return {info, vHalf};
}

} // namespace triaxis
