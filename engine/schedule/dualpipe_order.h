#pragma once

#include "engine/schedule/stage_order.h"

namespace triaxis
{

/// The eight phases of DualPipe and DualPipe-V on one stage (DeepSeek-AI, 2025). Microbatches pass
/// `depth` stages on their way in, turn, and come back over the same ones: this stage meets them
/// as number `at` (0 … depth − 1) in chunk `in` and again in chunk `out`. Needs
/// microbatches ≥ 2 · depth.
void writeDualPipe(StageOrder& order, int depth, int at, int microbatches, int in, int out);

} // namespace triaxis
