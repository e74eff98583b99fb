#pragma once

#include "engine/schedule/passes.h"

#include <vector>

namespace triaxis {

/// [stage][chunk]: the layers of each chunk by layerSplit; the embedding on virtual stage 0, the
/// head on the last. Throws Error if the split does not fit the schedule's virtual stages or the
/// model's layers.
std::vector<std::vector<ChunkContent>> chunkContents(const ComputeProgram& compute,
                                                     const ProgramInputs& inputs);

/// Model FLOPs of one rank for one microbatch of a chunk (matrix products and causal attention,
/// spread evenly over the tensor ranks; recompute, norms and activations not counted). A backward
/// is twice its forward; split, the input's part is one forward of matrix products plus two of
/// attention, the weights' part one forward of matrix products.
std::int64_t computeFlops(Kind kind, const ChunkContent& content, const ProgramInputs& inputs);

} // namespace triaxis
