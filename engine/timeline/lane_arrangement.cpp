#include "engine/timeline/lane_arrangement.h"

#include <algorithm>
#include <tuple>

namespace triaxis
{
namespace
{

bool isShown(const LaneArrangement& arrangement, const RankTracks& lane)
{
    if (arrangement.hidden.contains(lane.rank))
        return false;
    for (const Axis axis : {Axis::Data, Axis::Tensor, Axis::Pipeline}) {
        const std::set<int>& only = arrangement.only[std::size_t(axis)];
        if (!only.empty() && !only.contains(coordinateOf(lane.at, axis)))
            return false;
    }
    return true;
}

bool isPinned(const LaneArrangement& arrangement, Rank rank)
{
    return std::find(arrangement.pinned.begin(), arrangement.pinned.end(), rank) !=
           arrangement.pinned.end();
}

void addPinned(std::vector<LaneRow>& rows, const Lanes& lanes, const LaneArrangement& arrangement)
{
    for (const Rank rank : arrangement.pinned) {
        const auto lane = lanes.laneOf(rank);
        if (!lane)
            continue;
        LaneRow row;
        row.lane = *lane;
        row.pinned = true;
        rows.push_back(std::move(row));
    }
}

/// The lanes that are left for the groups, in the order in which they are shown.
std::vector<std::size_t> orderedLanes(const Lanes& lanes, const LaneArrangement& arrangement)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < lanes.ranks().size(); ++i) {
        const RankTracks& lane = lanes.ranks()[i];
        if (isShown(arrangement, lane) && !isPinned(arrangement, lane.rank))
            order.push_back(i);
    }
    const auto key = [&](std::size_t i) {
        const RankTracks& lane = lanes.ranks()[i];
        const int first =
            arrangement.group ? coordinateOf(lane.at, *arrangement.group) : lane.rank.value;
        return std::tuple(first, lane.at.data, lane.at.pipeline, lane.at.tensor);
    };
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    return order;
}

void addGroup(std::vector<LaneRow>& rows, std::vector<std::size_t> members, Axis axis, int group,
              bool collapsed)
{
    LaneRow first;
    first.kind = collapsed ? LaneRow::Kind::Group : LaneRow::Kind::Heading;
    first.lane = members.front();
    first.group = group;
    first.axis = axis;
    first.lanes = std::move(members);
    rows.push_back(first);
    if (collapsed)
        return;
    for (const std::size_t member : first.lanes) {
        LaneRow row;
        row.lane = member;
        row.group = group;
        row.axis = axis;
        rows.push_back(row);
    }
}

} // namespace

void LaneArrangement::toggleOnly(Axis axis, int coordinate)
{
    std::set<int>& shown = only[std::size_t(axis)];
    if (shown.erase(coordinate) == 0)
        shown.insert(coordinate);
}

void LaneArrangement::toggleCollapsed(int which)
{
    if (collapsed.erase(which) == 0)
        collapsed.insert(which);
}

void LaneArrangement::togglePinned(Rank rank)
{
    if (std::erase(pinned, rank) == 0)
        pinned.push_back(rank);
}

bool LaneArrangement::hides(const Layout& layout) const
{
    if (!hidden.empty())
        return true;
    for (const Axis axis : {Axis::Data, Axis::Tensor, Axis::Pipeline}) {
        const std::set<int>& shown = only[std::size_t(axis)];
        if (!shown.empty() && int(shown.size()) < sizeOf(layout, axis))
            return true;
    }
    return false;
}

std::vector<LaneRow> arrangeLanes(const Lanes& lanes, const LaneArrangement& arrangement)
{
    std::vector<LaneRow> rows;
    addPinned(rows, lanes, arrangement);
    const std::vector<std::size_t> order = orderedLanes(lanes, arrangement);
    if (!arrangement.group || sizeOf(lanes.layout(), *arrangement.group) < 2) {
        for (const std::size_t lane : order) {
            LaneRow row;
            row.lane = lane;
            rows.push_back(row);
        }
        return rows;
    }
    for (std::size_t begin = 0; begin < order.size();) {
        const int group = coordinateOf(lanes.ranks()[order[begin]].at, *arrangement.group);
        std::size_t end = begin;
        while (end < order.size() &&
               coordinateOf(lanes.ranks()[order[end]].at, *arrangement.group) == group)
            ++end;
        addGroup(rows, {order.begin() + std::ptrdiff_t(begin), order.begin() + std::ptrdiff_t(end)},
                 *arrangement.group, group, arrangement.collapsed.contains(group));
        begin = end;
    }
    return rows;
}

} // namespace triaxis
