#include "engine/schedule/named_schedule.h"

#include "engine/core/error.h"

namespace triaxis
{

const std::vector<NamedSchedule>& namedSchedules()
{
    static const std::vector<NamedSchedule> all{
        gpipeSchedule(),
        oneForwardOneBackwardSchedule(),
        interleavedSchedule(),
        loopedBreadthFirstSchedule(),
        zbH1Schedule(),
        zbH2Schedule(),
        zbVSchedule(),
        vHalfSchedule(),
        vMinSchedule(),
        chimeraSchedule(),
        chimeraDoublingSchedule(),
        chimeraHalvingSchedule(),
        dualPipeSchedule(),
        dualPipeVSchedule(),
        customSchedule(),
        autoSchedule(),
    };
    return all;
}

const NamedSchedule& namedSchedule(const std::string& name)
{
    for (const NamedSchedule& schedule : namedSchedules())
        if (schedule.info.name == name)
            return schedule;
    std::string known;
    for (const NamedSchedule& schedule : namedSchedules())
        if (schedule.info.name != customSchedule().info.name) // nobody's to choose by its name
            known += (known.empty() ? "" : ", ") + schedule.info.name;
    if (name.find('/') != std::string::npos || name.ends_with(".csv"))
        throw Error("cannot read the schedule", name + ": there is no such file",
                    "check the path, or use one of: " + known);
    throw Error("unknown schedule", "\"" + name + "\"", "use one of: " + known);
}

void refuseRequest(const ScheduleRequest& request, const std::string& what,
                   const std::string& condition)
{
    throw Error("cannot make the schedule \"" + request.name + "\"", what, condition);
}

} // namespace triaxis
