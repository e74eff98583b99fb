#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace triaxis
{

/// The bubble of one step: bubble() of metrics.h.
struct StepBubble
{
    std::int32_t step = 0;
    double bubble = 0;
};

/// The bubble of a run. One definition for the window, the history, `triaxis show` and the report.
struct KeptBubble
{
    std::size_t steps = 0;   ///< that it is the mean of
    std::int32_t first = 0;  ///< of them …
    std::int32_t latest = 0; ///< … and the last
    double bubble = std::numeric_limits<double>::quiet_NaN();
};

/// Mean over the steps whose spans were kept, in ascending order. The first one is left out where
/// there are others, as in StepFigures; so are those without a figure. `last` > 0: only so many of
/// the last ones, for a run that goes on.
KeptBubble keptBubble(const std::vector<StepBubble>& steps, std::size_t last = 0);

} // namespace triaxis
