#pragma once

#include "engine/schedule/program.h"

#include <vector>

namespace triaxis
{

/// Throws Error unless every microbatch runs on one replica, and there once forward and once
/// backward (whole, or once for the input and once for the weights) on each virtual stage.
/// lines[stage]: where the stage's row stands in its file, for the message.
void checkWhole(const ComputeProgram& program, const std::vector<int>& lines);

} // namespace triaxis
