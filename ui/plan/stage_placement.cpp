#include "ui/plan/stage_placement.h"

#include "engine/core/error.h"

#include <algorithm>

namespace triaxis::ui
{

std::vector<int> stagesOf(const RunPlan& plan)
{
    const Layout& layout = plan.layout;
    const int all = layout.pp * layout.virtualStages;
    std::vector<int> stages(std::size_t(std::max(0, all)));
    for (int i = 0; i < all; ++i)
        stages[std::size_t(i)] = i % layout.pp;
    if (layout.virtualStages == 1)
        return stages;
    ScheduleRequest request = scheduleRequest(plan);
    if (request.csv.empty())
        request.microbatches = 2 * layout.pp;
    try {
        const ComputeProgram program = generate(request);
        for (std::size_t stage = 0; stage < program.virtualStage.size(); ++stage)
            for (int chunk = 0; chunk < program.chunks / program.replicas; ++chunk)
                stages.at(std::size_t(program.virtualStage[stage][std::size_t(chunk)])) =
                    int(stage);
    } catch (const Error&) {
        return stages; // the findings say why
    }
    return stages;
}

} // namespace triaxis::ui
