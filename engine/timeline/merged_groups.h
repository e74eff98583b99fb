#pragma once

#include "engine/timeline/lane_arrangement.h"
#include "engine/timeline/merged_track.h"

#include <map>
#include <memory>
#include <vector>

namespace triaxis
{

/// Merged tracks of the collapsed groups of a picture that is drawn again and again.
class MergedGroups
{
public:
    struct Group
    {
        MergedTrack compute;
        MergedTrack communication;
    };
    /// Of these lanes, in this order; made empty where it is asked for first. Stays where it is.
    Group& of(const std::vector<std::size_t>& lanes);
    /// Takes in what the tracks of its groups hold by now, about `spans` of them at most; whether
    /// that was all. What is drawn stays the same, and is drawn faster.
    bool grow(const Lanes& lanes, std::size_t spans);
    /// Forgets groups that are no row of `rows`.
    void keepOnly(const std::vector<LaneRow>& rows);
    std::size_t size() const { return m_groups.size(); }

private:
    std::map<std::vector<std::size_t>, std::unique_ptr<Group>> m_groups;
};

} // namespace triaxis
