#pragma once

#include "engine/schedule/program.h"

#include <vector>

namespace triaxis
{

/// Seconds of the compute steps of each virtual stage, and of a hop between two stages.
struct StageCosts
{
    std::vector<double> forward; ///< F [P·V]
    std::vector<double> input;   ///< I [P·V]; a full backward takes I + W
    std::vector<double> weight;  ///< W [P·V]
    double transfer = 0; ///< from the end of a step to the start of its consumer on another stage
    double overlapGain =
        0; ///< share of the shorter one that an overlapped forward and backward save, 0 … 1
};

/// The same costs everywhere: F, I, W of one stage's whole share of the layers, spread over its V
/// virtual stages. Throws Error for costs that are negative or not finite, or fewer than one of
/// both.
StageCosts evenCosts(int stages, int virtualStages, double forward, double input, double weight);

/// Two overlapped steps (ComputeStep::withNext) run as one: it begins when the inputs of both are
/// there, takes F + (I+W) − overlapGain · min(F, I+W), and gives the results of both at its end.
/// Both steps carry its begin and end.
struct PlayedStep
{
    ComputeStep step;
    double begin = 0;
    double end = 0;
};

/// A compute program played with in-order stages, each step as soon as its stage is free and its
/// inputs are there.
struct Played
{
    std::vector<std::vector<PlayedStep>> stages; ///< [P]
    double makespan = 0;                         ///< seconds, first begin to last end
    /// [P] seconds in which the stage computes nothing: within the makespan (a step that begins and
    /// ends together) …
    std::vector<double> idle;
    /// … and within the stage's own window, first begin to last end.
    std::vector<double> idleOwn;
    /// [P] most activations that live at once, in units of one stage's whole share of one
    /// microbatch (a chunk counts 1/V), from a forward's begin to the end of the backward or of the
    /// weights' part.
    std::vector<double> peakLive;
};

/// Plays the program in one walk: the time grows with the number of steps (6,000 take about 0.1
/// ms). Throws Error for costs of another size, negative or not finite, for a pair that is no
/// forward and backward, or an order that never gets to a step.
Played play(const ComputeProgram& program, const StageCosts& costs);

/// Mean over the stages of the idle share of the makespan: "idle over makespan". 0 where nothing
/// takes time.
double meanIdleShare(const Played& played);

} // namespace triaxis
