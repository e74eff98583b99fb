#pragma once

#include "engine/schedule/generators.h"

namespace triaxis
{

/// A repeating block of six slots: what a microbatch does on the two chunks of a stage in a V,
/// every six slots anew (Qi et al., Pipeline Parallelism with Controllable Memory, 2024). Forward,
/// backward for the input and backward for the weights take a slot each. A microbatch goes down
/// the V (forward of chunk 0), up (forward of chunk 1), down (backward of chunk 1) and up (backward
/// of chunk 0); how long it is under way is how much memory the schedule needs.
struct BuildingBlock
{
    int downStep = 1; ///< slots from a stage to the next one, on both ways down
    int upStep = 1;   ///< and on both ways up
    int turn = 1;     ///< slots from the forward of chunk 0 to that of chunk 1 on the last stage
    int loss = 1;     ///< slots from the forward to the backward of chunk 1 on the first stage
    int turnBack = 1; ///< slots from the backward of chunk 1 to that of chunk 0 on the last stage
};

/// The block once for each microbatch, then pushed together: steps other than those for the weights
/// keep the block's order; those for the weights fill the gaps, and go first where a stage would
/// otherwise keep more than the block does. Times are the block's (F = I = W). The four passes of
/// a block must fall on different slots modulo 6 on every stage.
ComputeProgram fromBuildingBlock(const ScheduleRequest& request, const BuildingBlock& block);

} // namespace triaxis
