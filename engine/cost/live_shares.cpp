#include "engine/cost/live_shares.h"

#include "engine/schedule/closed_forms.h"
#include "engine/simulate/play_checks.h"

#include <algorithm>

namespace triaxis
{
namespace
{

std::vector<double> oneForwardOneBackwardLive(int stages, std::int64_t microbatches)
{
    std::vector<double> live(stages);
    for (int stage = 0; stage < stages; ++stage) {
        live[stage] = static_cast<double>(std::min<std::int64_t>(stages - stage, microbatches));
    }
    return live;
}

} // namespace

std::vector<double> liveShares(const ParallelPlan& plan, std::int64_t microbatches)
{
    if (plan.pp == 1) {
        return {plan.schedule == "gpipe" ? static_cast<double>(microbatches) : 1.0};
    }
    if (plan.schedule == "1f1b" || (plan.schedule == "interleaved" && plan.virtualStages == 1)) {
        return oneForwardOneBackwardLive(plan.pp, microbatches);
    }
    if (plan.schedule == "auto") {
        const double allowed = plan.scheduleMemory > 0 ? plan.scheduleMemory : plan.pp;
        return std::vector<double>(plan.pp, std::min(allowed, static_cast<double>(microbatches)));
    }
    ScheduleRequest request;
    request.name = plan.schedule;
    request.stages = plan.pp;
    request.microbatches = static_cast<int>(microbatches);
    request.virtualStages = plan.virtualStages;
    const ClosedForm form = closedForm(request);
    if (!form.peakLive.empty()) {
        return form.peakLive;
    }
    const ComputeProgram program = generate(request);
    std::vector<double> live;
    for (const std::vector<ComputeStep>& order : program.order) {
        live.push_back(peakLiveOf(program, order));
    }
    return live;
}

} // namespace triaxis
