#pragma once

#include "engine/timeline/span.h"

#include <vector>

namespace triaxis
{

/// The step that stands for a run: among the steps of which most ranks have spans, the first step
/// left out where there are others (it warms caches up), the one of median duration. −1 without
/// spans.
std::int32_t steadyStep(const std::vector<Span>& spans);

/// The spans of one step.
std::vector<Span> spansOfStep(const std::vector<Span>& spans, std::int32_t step);

} // namespace triaxis
