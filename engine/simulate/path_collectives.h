#pragma once

#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// Seconds of a critical path that its layers spend in collectives of tensor, context and expert
/// ranks, as far as they are not hidden: no part of the compute of pathTimes().
double collectivesOf(const std::vector<Span>& path);

} // namespace triaxis
