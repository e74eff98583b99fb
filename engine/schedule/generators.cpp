#include "engine/schedule/generators.h"

#include "engine/core/error.h"

#include <functional>

namespace triaxis
{
namespace
{

struct Schedule
{
    std::string name;
    bool takesChunks = false; ///< whether more than one chunk a stage is allowed
    std::function<ComputeProgram(int stages, int microbatches, int chunks)> make;
    /// Idle over makespan; empty where no closed form is known.
    std::function<double(int stages, int microbatches)> bubble;
};

double fillAndDrainBubble(int stages, int microbatches)
{
    return double(stages - 1) / (double(microbatches) + stages - 1);
}

/// In the order in which people should see them.
std::vector<Schedule> schedules()
{
    return {
        {"gpipe", false,
         [](int stages, int microbatches, int) { return gpipe(stages, microbatches); },
         fillAndDrainBubble},
        {"1f1b", false,
         [](int stages, int microbatches, int) {
             return oneForwardOneBackward(stages, microbatches);
         },
         fillAndDrainBubble},
    };
}

Schedule scheduleOf(const std::string& name)
{
    std::string known;
    for (Schedule& schedule : schedules()) {
        if (schedule.name == name)
            return schedule;
        known += (known.empty() ? "" : ", ") + schedule.name;
    }
    throw Error("unknown schedule", "\"" + name + "\"", "use one of: " + known);
}

} // namespace

std::vector<std::string> scheduleNames()
{
    std::vector<std::string> names;
    for (const Schedule& schedule : schedules())
        names.push_back(schedule.name);
    return names;
}

ComputeProgram generate(const std::string& name, int stages, int microbatches, int chunks)
{
    const Schedule schedule = scheduleOf(name);
    if (chunks < 1 || (chunks > 1 && !schedule.takesChunks))
        throw Error("cannot make the schedule \"" + name + "\"",
                    std::to_string(chunks) + " chunks a stage",
                    "it has one chunk a stage: set the virtual stages to 1");
    return schedule.make(stages, microbatches, chunks);
}

double bubbleClosedForm(const std::string& schedule, int stages, int microbatches)
{
    const Schedule found = scheduleOf(schedule);
    if (!found.bubble)
        throw Error("no closed form of the bubble", "\"" + schedule + "\"",
                    "play the schedule instead");
    if (stages < 1 || microbatches < 1)
        throw Error("no bubble",
                    std::to_string(stages) + " stages and " + std::to_string(microbatches) +
                        " microbatches",
                    "use at least one of each");
    return found.bubble(stages, microbatches);
}

} // namespace triaxis
