#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace triaxis::ui
{

/// Items of steps in order, bounded by their weight (what it counts is the owner's choice). When
/// they grow too heavy every other item of the older half goes, again and again, so that old steps
/// become sparse and the latest stay whole.
template <class Item>
class StepStore
{
public:
    struct Entry
    {
        std::int32_t step = 0;
        std::size_t weight = 1;
        Item item;
    };
    explicit StepStore(std::size_t heaviest) : m_heaviest(std::max<std::size_t>(2, heaviest)) {}

    /// Steps come in ascending order.
    void add(std::int32_t step, Item item, std::size_t weight = 1)
    {
        m_weight += weight;
        m_entries.push_back({step, weight, std::move(item)});
        while (m_weight > m_heaviest && m_entries.size() > 2)
            thin();
    }
    const std::vector<Entry>& entries() const { return m_entries; }
    bool empty() const { return m_entries.empty(); }
    /// Whether anything has been given up.
    bool isThinned() const { return m_thinned; }

private:
    void thin()
    {
        const std::size_t half = std::max<std::size_t>(2, m_entries.size() / 2);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_entries.size(); ++i) {
            if (i < half && i % 2 == 1) {
                m_weight -= m_entries[i].weight;
                continue;
            }
            if (kept != i)
                m_entries[kept] = std::move(m_entries[i]);
            ++kept;
        }
        m_entries.resize(kept);
        m_thinned = true;
    }

    std::size_t m_heaviest;
    std::size_t m_weight = 0;
    std::vector<Entry> m_entries;
    bool m_thinned = false;
};

} // namespace triaxis::ui
