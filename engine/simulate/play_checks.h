#pragma once

#include "engine/simulate/play.h"

namespace triaxis
{

/// Throws Error unless there is one finite time of 0 or more for each virtual stage, and the hop
/// and the overlap gain make sense.
void checkCosts(const StageCosts& costs, int positions);

/// The second step of an overlapped pair whose first stands at `at`. Throws Error unless both are
/// one forward and one full backward.
const ComputeStep& partnerOf(const ComputeProgram& program, int stage, std::size_t at);

/// Throws the Error of a program that never gets to a step.
[[noreturn]] void refuseStuck(const ComputeProgram& program, int stage, const ComputeStep& step);

/// Most activations alive at once while a stage runs `order`, in units of its whole share of one
/// microbatch. The two steps of a pair begin together, so that its forward counts before its
/// backward frees.
double peakLiveOf(const ComputeProgram& program, const std::vector<ComputeStep>& order);

/// Idle times and peaks of a result whose steps are complete.
void measurePlayed(Played& played, const std::vector<double>& busy);

} // namespace triaxis
