#include "engine/timeline/lanes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace triaxis
{
namespace
{

template <class Array>
void fetch(const Array& array)
{
    constexpr std::size_t cacheLine = 64;
    const auto* bytes = reinterpret_cast<const char*>(array.data());
    for (std::size_t at = 0; at < sizeof array; at += cacheLine)
        __builtin_prefetch(bytes + at);
}

} // namespace

Track::Track(const Track& other) : m_size(other.m_size)
{
    m_blocks.reserve(other.m_blocks.size());
    for (const auto& block : other.m_blocks)
        m_blocks.push_back(std::make_unique<Block>(*block));
}

Track::Track(Track&& other) noexcept
    : m_blocks(std::move(other.m_blocks)), m_size(std::exchange(other.m_size, 0))
{
}

Track& Track::operator=(Track other) noexcept
{
    m_blocks.swap(other.m_blocks);
    std::swap(m_size, other.m_size);
    return *this;
}

void Track::append(double begin, double end, Category category, InstructionId id, std::int32_t step,
                   double tensorWait, double tensorTransfer, std::int64_t amount)
{
    if (!std::isfinite(begin) || !std::isfinite(end))
        return;
    if (m_size > 0)
        begin = std::max(begin, this->end(m_size - 1));
    if (end <= begin)
        return;
    if (m_size % blockSpans == 0) {
        auto next = std::make_unique<Block>();
        next->before = before(begin);
        m_blocks.push_back(std::move(next));
    }
    Block& last = *m_blocks.back();
    const std::size_t at = m_size++ % blockSpans;
    last.begin[at] = begin;
    last.end[at] = end;
    last.category[at] = category;
    last.id[at] = id;
    last.step[at] = step;
    last.tensorWait[at] = float(tensorWait);
    last.tensorTransfer[at] = float(tensorTransfer);
    last.amount[at] = amount;
}

std::size_t Track::lowerBound(double time, std::size_t low, std::size_t high) const
{
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        if (end(middle) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::size_t Track::lowerBound(double time, std::size_t from) const
{
    // Doubling steps, then halving.
    std::size_t low = from;
    std::size_t stride = 1;
    while (low + stride < m_size && end(low + stride) <= time) {
        low += stride;
        stride *= 2;
    }
    return lowerBound(time, low, std::min(low + stride, m_size));
}

CategorySeconds Track::before(double time, std::size_t at) const
{
    CategorySeconds sums{};
    if (m_blocks.empty())
        return sums;
    const std::size_t first = std::min(at / blockSpans, m_blocks.size() - 1) * blockSpans;
    const Block& own = block(first);
    sums = own.before;
    for (std::size_t i = 0; i < at - first; ++i)
        sums[std::size_t(own.category[i])] += own.end[i] - own.begin[i];
    if (at < m_size && begin(at) < time)
        sums[std::size_t(category(at))] += time - begin(at);
    return sums;
}

void Track::addShares(double from, double to, std::size_t& span, CategorySeconds& sums) const
{
    // What is read of the next block is on its way from memory while this one is summed up.
    const auto fetchAhead = [](const Block& next) {
        fetch(next.begin);
        fetch(next.end);
        fetch(next.category);
    };
    while (span < m_size) {
        const Block& own = block(span);
        std::size_t i = span % blockSpans;
        const std::size_t filled = std::min(blockSpans, m_size - (span - i));
        if (i == 0 && span + blockSpans < m_size)
            fetchAhead(*m_blocks[span / blockSpans + 1]);
        const bool whole = i == 0 && filled == blockSpans && own.begin[0] >= from;
        if (whole && own.end[blockSpans - 1] <= to) {
            // Whole blocks at once.
            const std::size_t last =
                std::min(lowerBound(to, span + blockSpans - 1) / blockSpans, m_blocks.size() - 1);
            if (last > span / blockSpans) {
                for (std::size_t c = 0; c < sums.size(); ++c)
                    sums[c] += m_blocks[last]->before[c] - own.before[c];
                span = last * blockSpans;
                continue;
            }
        }
        for (; i < filled; ++i, ++span) {
            if (own.begin[i] >= to)
                return;
            const double begin = std::max(own.begin[i], from);
            if (own.end[i] > to) {
                sums[std::size_t(own.category[i])] += to - begin;
                return;
            }
            sums[std::size_t(own.category[i])] += own.end[i] - begin;
        }
    }
}

CategorySeconds Track::shares(double from, double to) const
{
    CategorySeconds result{};
    if (!(to > from))
        return result;
    const CategorySeconds first = before(from);
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
