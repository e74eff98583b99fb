#pragma once

#include "engine/schedule/program.h"

namespace triaxis
{

/// Fills a stage of one chunk: `warmUp` forwards (at most M), then a backward for the input and a
/// forward in turn. The backward for the weights follows that for the input `lag` microbatches
/// later; the last ones stand at the end.
void delayWeights(ComputeProgram& program, int stage, int warmUp, int lag);

} // namespace triaxis
