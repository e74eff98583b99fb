#include "engine/timeline/merged_track.h"

#include <algorithm>
#include <array>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

/// A time before which tracks have about `spans` spans that end after `from`, and some of them in
/// any case; never: they have no more than that.
double horizonOf(const std::vector<const Track*>& tracks, double from, std::size_t spans)
{
    std::vector<std::size_t> next;
    std::size_t left = 0;
    for (const Track* track : tracks) {
        next.push_back(track->lowerBound(from));
        left += track->size() - next.back();
    }
    if (left <= spans)
        return never;
    const std::size_t each = std::max<std::size_t>(1, spans / tracks.size());
    double horizon = never;
    for (std::size_t i = 0; i < tracks.size(); ++i)
        if (next[i] + each < tracks[i]->size())
            horizon = std::min(horizon, tracks[i]->begin(next[i] + each));
    return horizon;
}

} // namespace

/// The last block that begins by `time`; `from`: a block that does.
std::size_t MergedTrack::blockAt(double time, std::size_t from) const
{
    // Doubling steps, then halving.
    std::size_t low = from;
    std::size_t stride = 1;
    while (low + stride < m_begins.size() && m_begins[low + stride] <= time) {
        low += stride;
        stride *= 2;
    }
    const auto begin = m_begins.begin() + std::ptrdiff_t(low);
    const auto end = m_begins.begin() + std::ptrdiff_t(std::min(low + stride, m_begins.size()));
    return std::size_t(std::upper_bound(begin, end, time) - m_begins.begin()) - 1;
}

/// Seconds of each category before `time`, which lies in this block or after all. What is active at
/// the begin of the block goes on, but for what changes since.
CategorySeconds MergedTrack::before(double time, std::size_t block) const
{
    CategorySeconds sums{};
    const double since = time - m_begins[block];
    for (const Sums& own : m_sums)
        sums[own.category] = own.before[block] + double(own.active[block]) * since;
    const std::size_t last = std::min(m_times.size(), (block + 1) * blockChanges);
    for (std::size_t i = block * blockChanges; i < last && m_times[i] < time; ++i) {
        const double rest = time - m_times[i];
        sums[m_fromTo[i] >> 4] -= rest;
        sums[m_fromTo[i] & 15] += rest;
    }
    return sums;
}

std::vector<CategorySeconds> MergedTrack::between(const std::vector<double>& times) const
{
    if (times.size() < 2)
        return {};
    std::vector<CategorySeconds> columns(times.size() - 1);
    if (m_begins.empty())
        return columns;
    const auto held = std::lower_bound(times.begin(), times.end(), m_begins[0]);
    const std::size_t first = std::size_t(held - times.begin());
    // Where every time lies is known before its changes are read, so that these are on their way
    // from memory in good time.
    std::vector<std::size_t> blocks(times.size());
    for (std::size_t i = first, at = 0; i < times.size(); ++i)
        blocks[i] = at = blockAt(times[i], at);
    constexpr std::size_t ahead = 12;
    const auto fetch = [&](std::size_t i) {
        const double* changes = m_times.data() + blocks[i] * blockChanges;
        __builtin_prefetch(changes);
        __builtin_prefetch(changes + blockChanges / 2);
    };
    for (std::size_t i = first; i < std::min(first + ahead, times.size()); ++i)
        fetch(i);
    CategorySeconds last{};
    for (std::size_t i = first; i < times.size(); ++i) {
        if (i + ahead < times.size())
            fetch(i + ahead);
        const CategorySeconds next = before(times[i], blocks[i]);
        if (i > 0)
            for (const Sums& own : m_sums)
                columns[i - 1][own.category] =
                    std::max(0.0, next[own.category] - last[own.category]);
        last = next;
    }
    return columns;
}

double MergedTrack::heldUntil(const std::vector<const Track*>& tracks) const
{
    double until = m_until;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const std::size_t known = i < m_known.size() ? m_known[i] : 0;
        if (known < tracks[i]->size())
            until = std::min(until, tracks[i]->begin(known));
    }
    return until;
}

bool MergedTrack::update(const std::vector<const Track*>& tracks, std::size_t spans)
{
    const double from = heldUntil(tracks);
    if (from == never)
        return true;
    forgetFrom(from);
    m_until = horizonOf(tracks, from, spans);
    m_known.resize(tracks.size());
    std::vector<std::vector<Change>> runs;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        runs.push_back(changesWithin(*tracks[i], from, m_until));
        m_known[i] = tracks[i]->size();
    }
    for (const Change& change : inOrder(std::move(runs)))
        push(change);
    return m_until == never;
}

std::vector<MergedTrack::Change> MergedTrack::changesWithin(const Track& track, double from,
                                                            double to)
{
    std::vector<Change> changes;
    std::size_t span = track.lowerBound(from);
    if (span > 0 && track.end(span - 1) >= from)
        --span;
    for (; span < track.size() && track.begin(span) < to; ++span) {
        const Category category = track.category(span);
        const double begin = track.begin(span);
        const bool follows = span > 0 && track.end(span - 1) == begin;
        const Category before = follows ? track.category(span - 1) : Category::Idle;
        if (begin >= from && before != category)
            changes.push_back({begin, before, category});
        const double end = track.end(span);
        const bool followed = span + 1 < track.size() && track.begin(span + 1) == end;
        if (end >= from && end < to && !followed)
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

/// Forgets changes at `time` and later.
void MergedTrack::forgetFrom(double time)
{
    const auto after = std::lower_bound(m_times.begin(), m_times.end(), time);
    m_times.erase(after, m_times.end());
    m_fromTo.resize(m_times.size());
    m_begins.resize((m_times.size() + blockChanges - 1) / blockChanges);
    for (Sums& sums : m_sums) {
        sums.before.resize(m_begins.size());
        sums.active.resize(m_begins.size());
    }
}

/// What it holds was not seen before the current block.
MergedTrack::Sums& MergedTrack::sumsOf(Category category)
{
    const auto known = std::find_if(m_sums.begin(), m_sums.end(), [&](const Sums& sums) {
        return sums.category == std::size_t(category);
    });
    if (known != m_sums.end())
        return *known;
    m_sums.push_back({std::size_t(category), {}, {}});
    m_sums.back().before.resize(m_begins.size());
    m_sums.back().active.resize(m_begins.size());
    return m_sums.back();
}

void MergedTrack::beginBlock(double time)
{
    const std::size_t block = m_begins.size();
    if (block > 0) {
        const CategorySeconds sums = before(time, block - 1);
        std::array<std::int32_t, categoryCount> change{};
        for (std::size_t i = m_times.size() - blockChanges; i < m_times.size(); ++i) {
            --change[m_fromTo[i] >> 4];
            ++change[m_fromTo[i] & 15];
        }
        for (Sums& own : m_sums) {
            own.before.push_back(sums[own.category]);
            own.active.push_back(own.active.back() + change[own.category]);
        }
    } else {
        for (Sums& own : m_sums) {
            own.before.push_back(0);
            own.active.push_back(0);
        }
    }
    m_begins.push_back(time);
}

void MergedTrack::push(const Change& change)
{
    if (m_times.size() % blockChanges == 0)
        beginBlock(change.time);
    for (const Category category : {change.from, change.to})
        if (category != Category::Idle)
            sumsOf(category);
    m_times.push_back(change.time);
    m_fromTo.push_back(std::uint8_t(std::size_t(change.from) << 4 | std::size_t(change.to)));
}

} // namespace triaxis
