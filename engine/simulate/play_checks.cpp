#include "engine/simulate/play_checks.h"

#include "engine/core/error.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace triaxis
{
namespace
{

void checkTimes(const std::vector<double>& costs, int positions, const char* name)
{
    if (int(costs.size()) != positions)
        throw Error("cannot play the schedule",
                    std::to_string(costs.size()) + " times of the " + name + " for " +
                        std::to_string(positions) + " virtual stages",
                    "give one for each");
    for (const double seconds : costs)
        if (!(seconds >= 0) || !std::isfinite(seconds))
            throw Error("cannot play the schedule",
                        std::string("a time of the ") + name + " of " + std::to_string(seconds),
                        "give seconds, 0 or more");
}

std::string nameOf(const ComputeStep& step)
{
    return toText(InstructionId(step.kind, step.chunk, step.microbatch));
}

} // namespace

void checkCosts(const StageCosts& costs, int positions)
{
    checkTimes(costs.forward, positions, "forward");
    checkTimes(costs.input, positions, "input's backward");
    checkTimes(costs.weight, positions, "weights' backward");
    if (!(costs.transfer >= 0) || !std::isfinite(costs.transfer))
        throw Error("cannot play the schedule",
                    "a transfer time of " + std::to_string(costs.transfer),
                    "give seconds, 0 or more");
    if (!(costs.overlapGain >= 0 && costs.overlapGain <= 1))
        throw Error("cannot play the schedule",
                    "an overlap gain of " + std::to_string(costs.overlapGain),
                    "give a share from 0 to 1");
}

const ComputeStep& partnerOf(const ComputeProgram& program, int stage, std::size_t at)
{
    const std::vector<ComputeStep>& order = program.order[std::size_t(stage)];
    const bool sound =
        at + 1 < order.size() && !order[at + 1].withNext &&
        (order[at].kind == Kind::Forward) == (order[at + 1].kind == Kind::Backward) &&
        (order[at].kind == Kind::Backward) == (order[at + 1].kind == Kind::Forward);
    if (!sound)
        throw Error("cannot play the schedule \"" + program.schedule + "\"",
                    "the " + nameOf(order[at]) + " on stage " + std::to_string(stage) +
                        " overlaps with no step that it can overlap with",
                    "overlap one forward with one full backward");
    return order[at + 1];
}

void refuseStuck(const ComputeProgram& program, int stage, const ComputeStep& step)
{
    throw Error("cannot play the schedule \"" + program.schedule + "\"",
                "stage " + std::to_string(stage) + " never gets to the " + nameOf(step) +
                    ": what it consumes is made too late or not at all",
                "order the steps so that each comes after those it depends on");
}

double peakLiveOf(const ComputeProgram& program, const std::vector<ComputeStep>& order)
{
    int live = 0;
    int most = 0;
    for (const ComputeStep& step : order) {
        if (step.kind == Kind::Forward)
            most = std::max(most, ++live);
        else if (step.withNext)
            most = std::max(most, live + 1);
        if (step.kind == Kind::Backward || step.kind == Kind::BackwardWeight)
            --live;
    }
    return double(most) * program.replicas / program.chunks;
}

void measurePlayed(Played& played, const std::vector<double>& busy)
{
    played.makespan = 0;
    for (const std::vector<PlayedStep>& steps : played.stages)
        if (!steps.empty())
            played.makespan = std::max(played.makespan, steps.back().end);
    for (std::size_t stage = 0; stage < played.stages.size(); ++stage) {
        const std::vector<PlayedStep>& steps = played.stages[stage];
        const double own = steps.empty() ? 0 : steps.back().end - steps.front().begin;
        played.idle.push_back(played.makespan - busy[stage]);
        played.idleOwn.push_back(steps.empty() ? 0 : own - busy[stage]);
    }
}

} // namespace triaxis
