#pragma once

#include "engine/schedule/program.h"

#include <functional>
#include <vector>

namespace triaxis::tests
{

/// Seconds of one compute instruction on a stage.
using Duration = std::function<double(Stage, Kind)>;

/// What playing a program with free transfers and collectives gave.
struct Played
{
    double makespan = 0;
    std::vector<double> busy; ///< [P] seconds of forward and backward
};

/// Plays the issue semantics of StageProgram with times: every instruction as early as lanes, waits
/// and rendezvous allow. Throws std::runtime_error if it gets stuck.
Played play(const Program& program, const Duration& duration);

/// The same step bound by compute order and data alone: no lanes, no waits, no rendezvous. An
/// overlapped pair begins when both inputs are there and gives both results at its end. The
/// least any program of this order can take.
double dependencyMakespan(const ComputeProgram& compute, const Duration& duration);

} // namespace triaxis::tests
