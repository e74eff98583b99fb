#pragma once

#include "engine/cost/memory.h"
#include "engine/simulate/prediction.h"

#include <vector>

namespace triaxis
{

/// Memory of one rank of each stage over a predicted step: a sample whenever a forward begins to
/// keep activations or a backward (its weights' part, where it is split) has used them. Activations
/// are those of `byStage` at the moment when most live, and fewer in proportion to the layers of
/// the chunks alive at other times; everything else stays as it is through the step. Categories:
/// gathered weights count as communication; logits, workspaces, what the allocator reserves and
/// libraries as workspace. Ranks are those of the prediction's spans; samples of a rank in order of
/// time.
std::vector<MemorySample> memoryOverTime(const SimulatedPlan& plan, const Prediction& prediction,
                                         const std::vector<MemoryParts>& byStage);

} // namespace triaxis
