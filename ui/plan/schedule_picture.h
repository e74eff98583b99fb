#pragma once

#include "engine/schedule/program.h"
#include "engine/timeline/display_list.h"

#include <vector>

namespace triaxis::ui
{

/// Duration of each compute step in units of one forward.
struct UnitDurations
{
    double forward = 1;
    double backward = 2;
    double backwardInput = 1;
    double backwardWeight = 1;
};

/// When each compute step of a schedule runs if transfers are free.
struct PlacedStep
{
    int stage = 0;
    ComputeStep step;
    double begin = 0;
    double end = 0;
};

struct PlacedSchedule
{
    std::vector<PlacedStep> steps;
    double length = 0;
    std::vector<int> peakLive;    ///< [P] most microbatches whose activations live at once
    std::vector<double> idle;     ///< [P] idle share of the whole length
};
PlacedSchedule place(const ComputeProgram& program, const UnitDurations& durations = {});

/// One row a stage, microbatches numbered from 1. At least `width` pixels wide; wider where a forward would be narrower
/// than `narrowest` pixels.
DisplayList drawSchedule(const PlacedSchedule& schedule, int stages, double width, double height,
                         double narrowest = 5);

/// "1F1B", "GPipe": the name of a schedule for people.
std::string scheduleTitle(const std::string& name);

} // namespace triaxis::ui
