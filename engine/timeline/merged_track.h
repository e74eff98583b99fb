#pragma once

#include "engine/timeline/lanes.h"

#include <array>
#include <memory>
#include <vector>

namespace triaxis
{

/// Several tracks as one: how many of them do what at every time, exactly. What was read once need
/// not be read again, so that sums over columns of pixels cost columns and not spans. Grows with
/// its tracks; about 11 bytes for each time at which one of them begins or ends something.
class MergedTrack
{
public:
    /// Takes in what the tracks hold by now. Always the same tracks in the same order.
    void update(const std::vector<const Track*>& tracks);

    /// Times at which a track begins or ends something; 0 before update().
    std::size_t size() const { return m_size; }

    /// Reads sums at times that ascend.
    class Walk
    {
    public:
        explicit Walk(const MergedTrack& merged) : m_merged(merged) {}
        /// Seconds of each category before `time`, of all tracks together; idle is not counted.
        /// `time` is not less than that of the call before.
        CategorySeconds before(double time);

    private:
        friend class MergedTrack;
        void enter(std::size_t block);

        const MergedTrack& m_merged;
        std::size_t m_block = 0;
        std::size_t m_next = 0; ///< change of the block that has not been passed
        bool m_inside = false;  ///< in a block; before the first one there is nothing
        /// Of the block at its begin, and what has changed since: sums are Σ ± (time − begin).
        std::array<double, categoryCount> m_active{};
        CategorySeconds m_shift{};
    };

private:
    static constexpr std::size_t blockChanges = 64;
    /// At `time` one track goes over from one category to another; Idle: from or to nothing.
    struct Change
    {
        double time = 0;
        Category from = Category::Idle;
        Category to = Category::Idle;
    };
    struct Block
    {
        CategorySeconds before{};                          ///< the first change
        std::array<std::uint32_t, categoryCount> active{}; ///< tracks, before the first change
        std::array<double, blockChanges> time;
        std::array<std::uint8_t, blockChanges> fromTo; ///< 16 · from + to
    };

    static std::vector<Change> changesSince(const Track& track, double time);
    static std::vector<Change> inOrder(std::vector<std::vector<Change>> runs);
    void cut(double time);
    void push(const Change& change);
    std::size_t filled(std::size_t block) const;

    std::vector<std::unique_ptr<Block>> m_blocks;
    std::vector<double> m_begins; ///< [block] time of its first change
    std::size_t m_size = 0;
    std::vector<std::size_t> m_seen; ///< [track] spans taken in
};

} // namespace triaxis
