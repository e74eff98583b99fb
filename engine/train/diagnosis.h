#pragma once

#include "engine/train/rank_state.h"

namespace triaxis::train
{

/// Collective over all ranks, at the end of a step whose loss or gradient norm is not finite: runs
/// the step's microbatches forward once more, looks at what each layer gives, and throws Error that
/// names rank, step and the first layer with a value that is not finite; if all are finite, the
/// parameter in whose gradient it arose.
[[noreturn]] void throwNotFinite(RankState& state, std::int64_t step, double loss,
                                 double gradientNorm);

} // namespace triaxis::train
