#include "engine/timeline/merged_track.h"

#include <algorithm>
#include <limits>

namespace triaxis
{

// Seconds of a category up to a time are Σ (time − begin) over what has begun, less the same over
// what has ended: two numbers a category say it for every time until the next change.

void MergedTrack::Walk::enter(std::size_t block)
{
    m_block = block;
    m_next = 0;
    m_inside = true;
    m_shift = {};
    const Block& own = *m_merged.m_blocks[block];
    for (std::size_t c = 0; c < m_active.size(); ++c)
        m_active[c] = double(own.active[c]);
}

CategorySeconds MergedTrack::Walk::before(double time)
{
    const std::vector<double>& begins = m_merged.m_begins;
    const std::size_t start = m_inside ? m_block : 0;
    if (begins.empty() || (!m_inside && begins[0] > time))
        return {};
    // Doubling steps to the last block that begins by then, then halving.
    std::size_t low = start;
    std::size_t stride = 1;
    while (low + stride < begins.size() && begins[low + stride] <= time) {
        low += stride;
        stride *= 2;
    }
    const auto after = std::upper_bound(
        begins.begin() + std::ptrdiff_t(low),
        begins.begin() + std::ptrdiff_t(std::min(low + stride, begins.size())), time);
    const std::size_t block = std::size_t(after - begins.begin()) - 1;
    if (!m_inside || block != m_block)
        enter(block);
    const Block& own = *m_merged.m_blocks[block];
    const double begin = begins[block];
    const std::size_t filled = m_merged.filled(block);
    for (; m_next < filled && own.time[m_next] < time; ++m_next) {
        const double at = own.time[m_next] - begin;
        const std::size_t from = own.fromTo[m_next] >> 4;
        const std::size_t to = own.fromTo[m_next] & 15;
        m_active[from] -= 1;
        m_shift[from] += at;
        m_active[to] += 1;
        m_shift[to] -= at;
    }
    CategorySeconds sums = own.before;
    for (std::size_t c = 0; c < std::size_t(Category::Idle); ++c)
        sums[c] += m_active[c] * (time - begin) + m_shift[c];
    return sums;
}

std::size_t MergedTrack::filled(std::size_t block) const
{
    return std::min(blockChanges, m_size - block * blockChanges);
}

std::vector<MergedTrack::Change> MergedTrack::changesSince(const Track& track, double time)
{
    std::vector<Change> changes;
    std::size_t span = track.lowerBound(time);
    if (span > 0 && track.end(span - 1) >= time)
        --span;
    for (; span < track.size(); ++span) {
        const Category category = track.category(span);
        const double begin = track.begin(span);
        const bool follows = span > 0 && track.end(span - 1) == begin;
        const Category before = follows ? track.category(span - 1) : Category::Idle;
        if (begin >= time && before != category)
            changes.push_back({begin, before, category});
        const double end = track.end(span);
        const bool followed = span + 1 < track.size() && track.begin(span + 1) == end;
        if (end >= time && !followed)
            changes.push_back({end, category, Category::Idle});
    }
    return changes;
}

std::vector<MergedTrack::Change> MergedTrack::inOrder(std::vector<std::vector<Change>> runs)
{
    if (runs.empty())
        return {};
    const auto isEarlier = [](const Change& a, const Change& b) { return a.time < b.time; };
    while (runs.size() > 1) {
        std::vector<std::vector<Change>> merged;
        for (std::size_t i = 0; i + 1 < runs.size(); i += 2) {
            std::vector<Change> both(runs[i].size() + runs[i + 1].size());
            std::merge(runs[i].begin(), runs[i].end(), runs[i + 1].begin(), runs[i + 1].end(),
                       both.begin(), isEarlier);
            runs[i] = {};
            runs[i + 1] = {};
            merged.push_back(std::move(both));
        }
        if (runs.size() % 2)
            merged.push_back(std::move(runs.back()));
        runs = std::move(merged);
    }
    return std::move(runs.front());
}

void MergedTrack::update(const std::vector<const Track*>& tracks)
{
    m_seen.resize(tracks.size(), 0);
    double earliest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < tracks.size(); ++i)
        if (m_seen[i] < tracks[i]->size())
            earliest = std::min(earliest, tracks[i]->begin(m_seen[i]));
    if (!(earliest < std::numeric_limits<double>::infinity()))
        return;
    cut(earliest);
    std::vector<std::vector<Change>> runs;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        runs.push_back(changesSince(*tracks[i], earliest));
        m_seen[i] = tracks[i]->size();
    }
    for (const Change& change : inOrder(std::move(runs)))
        push(change);
}

/// Forgets changes at `time` and later.
void MergedTrack::cut(double time)
{
    const auto first = std::lower_bound(m_begins.begin(), m_begins.end(), time);
    const std::size_t blocks = std::size_t(first - m_begins.begin());
    m_begins.resize(blocks);
    m_size = std::min(m_size, blocks * blockChanges);
    m_blocks.resize(blocks);
    if (blocks == 0)
        return;
    const auto& times = m_blocks.back()->time;
    const auto end = times.begin() + std::ptrdiff_t(filled(blocks - 1));
    const auto kept = std::lower_bound(times.begin(), end, time);
    m_size = (blocks - 1) * blockChanges + std::size_t(kept - times.begin());
}

void MergedTrack::push(const Change& change)
{
    const std::size_t at = m_size % blockChanges;
    if (at == 0) {
        auto next = std::make_unique<Block>();
        if (!m_blocks.empty()) {
            const Block& last = *m_blocks.back();
            Walk walk(*this);
            walk.enter(m_blocks.size() - 1);
            next->before = walk.before(change.time);
            next->active = last.active;
            for (const std::uint8_t fromTo : last.fromTo) {
                --next->active[fromTo >> 4];
                ++next->active[fromTo & 15];
            }
        }
        m_blocks.push_back(std::move(next));
        m_begins.push_back(change.time);
    }
    m_blocks.back()->time[at] = change.time;
    m_blocks.back()->fromTo[at] =
        std::uint8_t(std::size_t(change.from) << 4 | std::size_t(change.to));
    ++m_size;
}

} // namespace triaxis
