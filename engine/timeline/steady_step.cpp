#include "engine/timeline/steady_step.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace triaxis
{

void SteadyStep::add(const Span& span)
{
    // What partners settle among themselves begins where the pairing says; compute spans are the
    // same before and after it.
    if (span.lane != Lane::Compute || !std::isfinite(span.begin) || !std::isfinite(span.end))
        return;
    Extent& extent = m_steps[span.step];
    extent.begin = std::min(extent.begin, span.begin);
    extent.end = std::max(extent.end, span.end);
    extent.ranks.insert(span.rank);
}

void SteadyStep::add(const std::vector<Span>& spans)
{
    for (const Span& span : spans)
        add(span);
}

std::int32_t SteadyStep::step() const
{
    std::size_t most = 0;
    for (const auto& [number, extent] : m_steps)
        most = std::max(most, extent.ranks.size());
    std::vector<std::pair<double, std::int32_t>> whole;
    for (const auto& [number, extent] : m_steps) {
        if (extent.ranks.size() == most)
            whole.emplace_back(extent.seconds(), number);
    }
    if (whole.empty())
        return -1;
    if (whole.size() > 1 && whole.front().second == m_steps.begin()->first)
        whole.erase(whole.begin());
    const auto middle = whole.begin() + std::ptrdiff_t((whole.size() - 1) / 2);
    std::nth_element(whole.begin(), middle, whole.end());
    return middle->second;
}

std::int32_t steadyStep(const std::vector<Span>& spans)
{
    SteadyStep steady;
    steady.add(spans);
    return steady.step();
}

std::vector<Span> spansOfStep(const std::vector<Span>& spans, std::int32_t step)
{
    std::vector<Span> result;
    std::copy_if(spans.begin(), spans.end(), std::back_inserter(result),
                 [step](const Span& span) { return span.step == step; });
    return result;
}

} // namespace triaxis
