#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>

namespace triaxis
{
namespace
{

struct StepExtent
{
    double begin = std::numeric_limits<double>::infinity();
    double end = -std::numeric_limits<double>::infinity();
    std::set<Rank> ranks;
    double seconds() const { return end - begin; }
};

} // namespace

std::int32_t steadyStep(const std::vector<Span>& spans)
{
    std::map<std::int32_t, StepExtent> steps;
    for (const Span& span : spans) {
        if (!std::isfinite(span.begin) || !std::isfinite(span.end))
            continue;
        StepExtent& step = steps[span.step];
        step.begin = std::min(step.begin, span.begin);
        step.end = std::max(step.end, span.end);
        step.ranks.insert(span.rank);
    }
    std::size_t most = 0;
    for (const auto& [number, step] : steps)
        most = std::max(most, step.ranks.size());
    std::vector<std::pair<double, std::int32_t>> whole;
    for (const auto& [number, step] : steps) {
        if (step.ranks.size() == most)
            whole.emplace_back(step.seconds(), number);
    }
    if (whole.empty())
        return -1;
    if (whole.size() > 1 && whole.front().second == steps.begin()->first)
        whole.erase(whole.begin());
    const auto middle = whole.begin() + std::ptrdiff_t((whole.size() - 1) / 2);
    std::nth_element(whole.begin(), middle, whole.end());
    return middle->second;
}

std::vector<Span> spansOfStep(const std::vector<Span>& spans, std::int32_t step)
{
    std::vector<Span> result;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(result),
                 [step](const Span& span) { return span.step == step; });
    return result;
}

} // namespace triaxis
