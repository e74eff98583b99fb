#pragma once

#include "engine/timeline/span.h"

#include <limits>
#include <map>
#include <set>
#include <vector>

namespace triaxis
{

/// The one choice of the step that stands for a run, wherever a figure of a single step is told:
/// among the steps of which most ranks have spans, the first step left out where there are others
/// (it warms caches up), the one of median duration, from the first begin to the last end on the
/// compute lanes. Spans may come in any order and in batches, paired or not.
class SteadyStep
{
public:
    void add(const Span& span);
    void add(const std::vector<Span>& spans);
    /// −1 without spans.
    std::int32_t step() const;

private:
    struct Extent
    {
        double begin = std::numeric_limits<double>::infinity();
        double end = -std::numeric_limits<double>::infinity();
        std::set<Rank> ranks;
        double seconds() const { return end - begin; }
    };
    std::map<std::int32_t, Extent> m_steps;
};

/// The same of all spans of a run at once.
std::int32_t steadyStep(const std::vector<Span>& spans);

/// The spans of one step.
std::vector<Span> spansOfStep(const std::vector<Span>& spans, std::int32_t step);

} // namespace triaxis
