#pragma once

#include "engine/simulate/play.h"

#include <optional>
#include <vector>

namespace triaxis
{

/// How a list schedule chooses among the steps that a stage could start.
struct ListPolicy
{
    bool shape = false;           ///< two chunks a stage in a V; else one
    bool forwardFirst = false;    ///< forwards before backwards for the input
    std::vector<int> chunksAlive; ///< [P] most chunks of activations on a stage
};

/// A program without order: the placement that the policy asks for.
ComputeProgram listPlacement(int stages, int microbatches, const ListPolicy& policy);

/// Every stage starts, whenever it is free, the most urgent step whose inputs are there; weights'
/// parts fill the rest. Empty where the memory lets some microbatch never through.
std::optional<ComputeProgram> listSchedule(int stages, int microbatches, const StageCosts& costs,
                                           const ListPolicy& policy);

} // namespace triaxis
