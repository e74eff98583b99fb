#pragma once

#include "engine/simulate/play.h"

namespace triaxis::tests
{

/// What watching a pipeline by the clock gave.
struct Watched
{
    bool stuck = false; ///< some stage never got to its end
    double makespan = 0;
    std::vector<double> idle, idleOwn, peakLive; ///< [P], as in Played
    /// [P][step of the order]
    std::vector<std::vector<double>> begin, end;
};

/// Plays a program another way than `play`: a clock goes from event to event (a step ends, a
/// message arrives), every stage that is free then starts its next step if all that it consumes has
/// arrived by now. Idle time and live activations are summed up over the stretches between events.
/// Slow and plain. Steps must take time.
Watched watch(const ComputeProgram& program, const StageCosts& costs);

} // namespace triaxis::tests
