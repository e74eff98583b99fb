#pragma once

#include "engine/timeline/lanes.h"

#include <limits>
#include <vector>

namespace triaxis
{

/// Several tracks as one: how many of them do what at every time, exactly. What was read once need
/// not be read again, so that sums over columns of pixels cost columns and not spans. Grows with
/// its tracks, in as many calls as one likes; about 12 bytes for each time at which one of them
/// begins or ends something.
class MergedTrack
{
public:
    /// Takes in what the tracks hold by now, the earliest first and about `spans` of them at most.
    /// Always the same tracks in the same order. Whether that was all.
    bool update(const std::vector<const Track*>& tracks,
                std::size_t spans = std::numeric_limits<std::size_t>::max());

    /// Up to this time it holds all that the tracks hold by now; infinity: all of it.
    double heldUntil(const std::vector<const Track*>& tracks) const;

    /// Times at which a track begins or ends something; 0 before update().
    std::size_t size() const { return m_times.size(); }

    /// Seconds of each category between each of these times and the next, of all tracks together;
    /// idle is not counted. `times` ascend and lie before heldUntil(); one more than there are
    /// sums.
    std::vector<CategorySeconds> between(const std::vector<double>& times) const;

private:
    static constexpr std::size_t blockChanges = 16;
    /// At `time` one track goes over from one category to another; Idle: from or to nothing.
    struct Change
    {
        double time = 0;
        Category from = Category::Idle;
        Category to = Category::Idle;
    };
    /// A category that some track has, at the first change of each block.
    struct Sums
    {
        std::size_t category = 0;
        std::vector<double> before;       ///< [block] seconds
        std::vector<std::int32_t> active; ///< [block] tracks, before that change
    };

    static std::vector<Change> changesWithin(const Track& track, double from, double to);
    static std::vector<Change> inOrder(std::vector<std::vector<Change>> runs);
    void forgetFrom(double time);
    void push(const Change& change);
    void beginBlock(double time);
    Sums& sumsOf(Category category);
    std::size_t blockAt(double time, std::size_t from) const;
    CategorySeconds before(double time, std::size_t block) const;

    std::vector<double> m_begins; ///< [block] time of its first change
    std::vector<Sums> m_sums;     ///< of categories that were seen; Idle is not among them
    // Changes, blockChanges a block.
    std::vector<double> m_times;
    std::vector<std::uint8_t> m_fromTo; ///< 16 · from + to
    double m_until = -std::numeric_limits<double>::infinity();
    std::vector<std::size_t> m_known; ///< [track] spans that it had at the last update()
};

} // namespace triaxis
