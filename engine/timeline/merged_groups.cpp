#include "engine/timeline/merged_groups.h"

#include <algorithm>
#include <set>

namespace triaxis
{

MergedGroups::Group& MergedGroups::of(const std::vector<std::size_t>& lanes)
{
    std::unique_ptr<Group>& group = m_groups[lanes];
    if (!group)
        group = std::make_unique<Group>();
    return *group;
}

bool MergedGroups::grow(const Lanes& lanes, std::size_t spans)
{
    std::size_t changes = 2 * spans; // a begin and an end
    std::vector<const Track*> tracks;
    const auto growOne = [&](MergedTrack& merged, Track RankTracks::*track,
                             const std::vector<std::size_t>& members) {
        tracks.clear();
        for (const std::size_t lane : members)
            tracks.push_back(&(lanes.ranks()[lane].*track));
        const std::size_t before = merged.size();
        const bool isWhole = merged.update(tracks, std::max<std::size_t>(1, changes / 2));
        changes -= std::min(changes, merged.size() - std::min(before, merged.size()));
        return isWhole;
    };
    for (auto& [members, group] : m_groups)
        if (!growOne(group->compute, &RankTracks::compute, members) ||
            !growOne(group->communication, &RankTracks::communication, members) || changes == 0)
            return false;
    return true;
}

void MergedGroups::keepOnly(const std::vector<LaneRow>& rows)
{
    std::set<std::vector<std::size_t>> wanted;
    for (const LaneRow& row : rows)
        if (row.kind == LaneRow::Kind::Group)
            wanted.insert(row.lanes);
    std::erase_if(m_groups, [&](const auto& group) { return wanted.count(group.first) == 0; });
}

} // namespace triaxis
