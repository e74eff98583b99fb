#include "engine/schedule/generators.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/schedule/named_schedule.h"

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

double bubbleClosedForm(const std::string& schedule, int stages, int microbatches)
{
    const std::string& name = scheduleInfo(schedule).name;
    if (name != "gpipe" && name != "1f1b")
        throw Error("no closed form of the bubble", "\"" + schedule + "\"",
                    "play the schedule instead");
    if (stages < 1 || microbatches < 1)
        throw Error("no bubble",
                    std::to_string(stages) + " stages and " + std::to_string(microbatches) +
                        " microbatches",
                    "use at least one of each");
    return double(stages - 1) / (double(microbatches) + stages - 1);
}

} // namespace triaxis
