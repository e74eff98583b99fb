#include "engine/search/plan_space.h"

#include "engine/core/error.h"
#include "engine/schedule/generators.h"

#include <algorithm>

namespace triaxis
{

ParallelPlan planOf(const PlanPoint& point)
{
    ParallelPlan plan;
    plan.dp = point.dp;
    plan.tp = point.tp;
    plan.cp = point.cp;
    plan.pp = point.pp;
    plan.virtualStages = point.virtualStages;
    plan.ep = point.ep;
    plan.expertTp = point.expertTp;
    plan.microbatch = point.microbatch;
    plan.schedule = schedules()[point.schedule].name;
    plan.zero = static_cast<ZeroStage>(point.zero);
    plan.recompute = static_cast<Recompute>(point.recompute);
    plan.sequenceParallel = point.sequenceParallel != 0;
    return plan;
}

const char* toText(Rejection rejection)
{
    switch (rejection) {
    case Rejection::Tensor:
        return "heads, MLP columns or tokens do not divide by the tensor size";
    case Rejection::Context:
        return "tokens do not divide by the context size";
    case Rejection::Batch:
        return "sequences do not divide by the data size, or a size is not allowed";
    case Rejection::Stages:
        return "too few layers for the pipeline stages";
    case Rejection::Experts:
        return "experts or ranks do not divide into expert groups";
    case Rejection::Schedule:
        return "the schedule does not exist for these stages and microbatches";
    case Rejection::Memory:
        return "do not fit the memory";
    case Rejection::Slower:
        return "fit, and are slower";
    }
    return "?";
}

bool countsShapes(Rejection rejection)
{
    switch (rejection) {
    case Rejection::Tensor:
    case Rejection::Context:
    case Rejection::Batch:
    case Rejection::Stages:
    case Rejection::Experts:
        return true;
    case Rejection::Schedule:
    case Rejection::Memory:
    case Rejection::Slower:
        return false;
    }
    return false;
}

std::vector<std::int64_t> divisorsOf(std::int64_t whole)
{
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (std::int64_t divisor = 1; divisor <= whole / divisor; ++divisor) {
        if (whole % divisor == 0) {
            low.push_back(divisor);
            if (divisor != whole / divisor) {
                high.push_back(whole / divisor);
            }
        }
    }
    low.insert(low.end(), high.rbegin(), high.rend());
    return low;
}

std::vector<int> axisValues(std::int64_t whole, const std::vector<int>& allowed, int most)
{
    std::vector<int> values;
    constexpr std::int64_t largest = 1 << 20;
    for (const std::int64_t value : divisorsOf(whole)) {
        const bool wanted =
            allowed.empty() || std::find(allowed.begin(), allowed.end(), value) != allowed.end();
        if (wanted && value <= largest && (most == 0 || value <= most)) {
            values.push_back(static_cast<int>(value));
        }
    }
    return values;
}

std::vector<std::uint8_t> searchedSchedules(const PlanLimits& limits)
{
    std::vector<std::uint8_t> indices;
    for (const std::string& name : limits.schedules) {
        scheduleInfo(name);
        if (name == "custom" || name == "auto") {
            throw Error("cannot search the layouts", "the schedule \"" + name + "\"",
                        "name schedules that have an order of their own; see triaxis schedule");
        }
    }
    const std::vector<ScheduleInfo>& all = schedules();
    for (std::size_t index = 0; index < all.size(); ++index) {
        const std::string& name = all[index].name;
        const bool wanted = limits.schedules.empty() ? name != "custom" && name != "auto"
                                                     : std::count(limits.schedules.begin(),
                                                                  limits.schedules.end(), name) > 0;
        if (wanted) {
            indices.push_back(static_cast<std::uint8_t>(index));
        }
    }
    return indices;
}

bool isWritable(int stages, std::int64_t microbatches, int virtualStages)
{
    ParallelPlan plan;
    plan.pp = stages;
    plan.virtualStages = virtualStages;
    return fitsProgram(plan, microbatches);
}

double memoryLimit(const TrainingJob& job, const PlanLimits& limits)
{
    return limits.memoryBytes > 0 ? limits.memoryBytes
                                  : static_cast<double>(job.cluster.device.memoryBytes);
}

} // namespace triaxis
