#pragma once

#include "engine/schedule/generators.h"

namespace triaxis
{

/// A schedule that people can ask for by name. Each lies in a file of its own, which ends with the
/// function that describes it here; a further one is a file and a line in the list of
/// named_schedules.cpp.
struct NamedSchedule
{
    ScheduleInfo info;
    /// Called with a name that is its own, P ≥ 1, 1 ≤ M ≤ maximumMicrobatches and a V that the info
    /// allows; throws Error where the schedule does not exist for them.
    ComputeProgram (*make)(const ScheduleRequest& request) = nullptr;
};

NamedSchedule gpipeSchedule();
NamedSchedule oneForwardOneBackwardSchedule();
NamedSchedule interleavedSchedule();
NamedSchedule loopedBreadthFirstSchedule();
NamedSchedule zbH1Schedule();
NamedSchedule zbH2Schedule();
NamedSchedule zbVSchedule();
NamedSchedule vHalfSchedule();
NamedSchedule vMinSchedule();
NamedSchedule chimeraSchedule();
NamedSchedule chimeraDoublingSchedule();
NamedSchedule chimeraHalvingSchedule();
NamedSchedule dualPipeSchedule();
NamedSchedule dualPipeVSchedule();
NamedSchedule customSchedule();
NamedSchedule autoSchedule();

/// All, in the order in which people should see them.
const std::vector<NamedSchedule>& namedSchedules();
/// Throws Error for an unknown name; the message gives the known ones.
const NamedSchedule& namedSchedule(const std::string& name);

/// Throws the Error of a schedule that does not exist for what was asked; `condition` says when it
/// does.
[[noreturn]] void refuseRequest(const ScheduleRequest& request, const std::string& what,
                                const std::string& condition);

} // namespace triaxis
