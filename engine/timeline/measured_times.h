#pragma once

#include "engine/schedule/closed_forms.h"
#include "engine/timeline/span.h"

#include <optional>
#include <vector>

namespace triaxis
{

/// F, I, W of a stage's whole share as the spans of one step show them, mean over all ranks; time
/// inside tensor collectives included.
struct MeasuredTimes
{
    ShareTimes times;
    bool split =
        false; ///< false: only full backwards ran, of which I and W are taken as one half each
};

/// Empty where the step has no forward or no backward.
std::optional<MeasuredTimes> measuredTimes(const std::vector<Span>& spansOfStep);

} // namespace triaxis
