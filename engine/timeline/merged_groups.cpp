#include "engine/timeline/merged_groups.h"

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

void MergedGroups::keepOnly(const std::vector<LaneRow>& rows)
{
    std::set<std::vector<std::size_t>> wanted;
    for (const LaneRow& row : rows)
        if (row.kind == LaneRow::Kind::Group)
            wanted.insert(row.lanes);
    std::erase_if(m_groups, [&](const auto& group) { return wanted.count(group.first) == 0; });
}

} // namespace triaxis
