#include "engine/schedule/generators.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"

#include <algorithm>

namespace triaxis
{
namespace
{

void checkSizes(const ScheduleRequest& request)
{
    if (request.stages >= 1 && request.microbatches >= 1 &&
        request.microbatches <= maximumMicrobatches)
        return;
    throw Error("cannot make a pipeline",
                std::to_string(request.stages) + " stages and " +
                    std::to_string(request.microbatches) + " microbatches",
                "use at least one of each, and at most " + std::to_string(maximumMicrobatches) +
                    " microbatches");
}

void checkVirtualStages(const ScheduleRequest& request, const ScheduleInfo& info)
{
    const int least = info.minimumVirtual;
    const int most = info.maximumVirtual;
    if (request.virtualStages >= least && request.virtualStages <= most)
        return;
    const std::string range = least == most ? std::to_string(least)
                                            : "at least " + std::to_string(least) +
                                                  " and at most " + std::to_string(most);
    refuseRequest(request, std::to_string(request.virtualStages) + " chunks a stage",
                  "set the virtual stages to " + range);
}

/// Some generators write out more than 2P microbatches whatever M is.
void checkSteps(const ScheduleRequest& request)
{
    constexpr std::int64_t most = std::int64_t(8) << 20;
    const std::int64_t stages = request.stages;
    const std::int64_t written = std::max(std::int64_t(request.microbatches), 2 * stages);
    if (stages > most / written / request.virtualStages)
        refuseRequest(request,
                      std::to_string(stages) + " stages with " +
                          std::to_string(request.virtualStages) + " chunks and " +
                          std::to_string(request.microbatches) + " microbatches",
                      "these are more steps than a program holds; use fewer");
}

} // namespace

const std::vector<ScheduleInfo>& schedules()
{
    static const std::vector<ScheduleInfo> infos = [] {
        std::vector<ScheduleInfo> all;
        for (const NamedSchedule& schedule : namedSchedules())
            all.push_back(schedule.info);
        return all;
    }();
    return infos;
}

const ScheduleInfo& scheduleInfo(const std::string& name)
{
    return namedSchedule(name).info;
}

std::string scheduleTitle(const std::string& name)
{
    for (const ScheduleInfo& info : schedules())
        if (info.name == name)
            return info.title;
    return name;
}

std::vector<std::string> scheduleNames()
{
    std::vector<std::string> names;
    for (const ScheduleInfo& info : schedules())
        names.push_back(info.name);
    return names;
}

ComputeProgram generate(const ScheduleRequest& request)
{
    const NamedSchedule& schedule = namedSchedule(request.name);
    checkSizes(request);
    checkVirtualStages(request, schedule.info);
    checkSteps(request);
    return schedule.make(request);
}

ComputeProgram generate(const std::string& name, int stages, int microbatches, int virtualStages)
{
    ScheduleRequest request;
    request.name = name;
    request.stages = stages;
    request.microbatches = microbatches;
    request.virtualStages = virtualStages;
    return generate(request);
}

} // namespace triaxis
