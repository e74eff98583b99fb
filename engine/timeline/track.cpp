#include "engine/timeline/lanes.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr std::size_t spansABlock = 32;

} // namespace

void Track::append(double begin, double end, Category category, InstructionId id, std::int32_t step,
                   double tensorWait, double tensorTransfer, std::int64_t amount)
{
    if (!std::isfinite(begin) || !std::isfinite(end))
        return;
    if (!m_end.empty())
        begin = std::max(begin, m_end.back());
    if (end <= begin)
        return;
    if (m_begin.size() % spansABlock == 0)
        m_sums.push_back(before(begin));
    m_begin.push_back(begin);
    m_end.push_back(end);
    m_category.push_back(category);
    m_id.push_back(id);
    m_step.push_back(step);
    m_tensorWait.push_back(float(tensorWait));
    m_tensorTransfer.push_back(float(tensorTransfer));
    m_amount.push_back(amount);
}

std::size_t Track::lowerBound(double time) const
{
    return std::size_t(std::upper_bound(m_end.begin(), m_end.end(), time) - m_end.begin());
}

std::size_t Track::lowerBound(double time, std::size_t from) const
{
    // Doubling steps, then halving.
    std::size_t low = from;
    std::size_t stride = 1;
    while (low + stride < size() && m_end[low + stride] <= time) {
        low += stride;
        stride *= 2;
    }
    std::size_t high = std::min(low + stride, size());
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (m_end[middle] <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::array<double, categoryCount> Track::before(double time, std::size_t at) const
{
    std::array<double, categoryCount> sums{};
    if (m_sums.empty())
        return sums;
    const std::size_t block = std::min(at / spansABlock, m_sums.size() - 1);
    sums = m_sums[block];
    for (std::size_t i = block * spansABlock; i < at; ++i)
        sums[std::size_t(m_category[i])] += m_end[i] - m_begin[i];
    if (at < m_begin.size() && m_begin[at] < time)
        sums[std::size_t(m_category[at])] += time - m_begin[at];
    return sums;
}

std::array<double, categoryCount> Track::shares(double from, double to) const
{
    std::array<double, categoryCount> result{};
    if (!(to > from))
        return result;
    const std::array<double, categoryCount> first = before(from);
    result = before(to);
    double busy = 0;
    for (std::size_t c = 0; c < result.size(); ++c) {
        result[c] = std::max(0.0, result[c] - first[c]);
        busy += result[c];
    }
    result[std::size_t(Category::Idle)] += std::max(0.0, to - from - busy);
    return result;
}

} // namespace triaxis
