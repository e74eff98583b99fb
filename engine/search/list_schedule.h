#pragma once

#include "engine/simulate/play.h"

#include <optional>
#include <vector>

namespace triaxis
{

/// What a stage does when it has a choice.
struct StagePriorities
{
    double window = 1;        ///< activations it holds at most, in whole shares
    double patience = 0.5;    ///< a weight gradient is computed only if the wait for the next forward or backward is longer than this share of it
    bool forwardsFirst = false; ///< of a forward and a backward that are both ready
    bool deepFirst = true;    ///< of two forwards, that of the later chunk
};

/// Makes an order by list scheduling: always the step that can begin first, by the priorities of its stage. Weight gradients are computed
/// apart and fill gaps. `placement` gives the tables; its order is not used. Empty if the windows leave the stages stuck.
std::optional<ComputeProgram> listSchedule(const ComputeProgram& placement, const StageCosts& costs,
                                           const std::vector<StagePriorities>& priorities);

} // namespace triaxis
