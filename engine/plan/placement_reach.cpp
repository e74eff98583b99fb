#include "engine/plan/placement_reach.h"

#include "engine/layout/axis.h"

#include <algorithm>

namespace triaxis
{
namespace
{

int strideOf(const Layout& layout, Axis axis)
{
    int stride = 1;
    for (const Axis faster : layout.order) {
        if (faster == axis)
            break;
        stride *= sizeOf(layout, faster);
    }
    return stride;
}

/// Nodes that one group spans, and its members on the node with the fewest.
struct GroupSpread
{
    int nodes = 1;
    int fewestMembers = 1;
};

GroupSpread spreadOf(std::vector<int>& nodes)
{
    if (!std::is_sorted(nodes.begin(), nodes.end()))
        std::sort(nodes.begin(), nodes.end());
    GroupSpread spread{0, int(nodes.size())};
    for (auto first = nodes.begin(); first != nodes.end();) {
        auto last = first + 1;
        while (last != nodes.end() && *last == *first)
            ++last;
        ++spread.nodes;
        spread.fewestMembers = std::min(spread.fewestMembers, int(last - first));
        first = last;
    }
    return spread;
}

/// Calls take(first rank, spread) for every group of an axis.
template <class Take>
void eachGroup(const DrawnPlan& plan, const Layout& layout, Axis axis, Take take)
{
    const int size = sizeOf(layout, axis);
    const int stride = strideOf(layout, axis);
    const int ranks = layout.ranks();
    std::vector<int> nodes(std::size_t(size), 0);
    // The first ranks of groups: `stride` in a row, then the rest of their groups.
    for (int block = 0; block < ranks; block += stride * size) {
        for (int rank = block; rank < block + stride; ++rank) {
            for (int member = 0; member < size; ++member)
                nodes[std::size_t(member)] =
                    plan.cluster.nodeOf(deviceOf(plan, Rank(rank + member * stride)));
            take(rank, spreadOf(nodes));
        }
    }
}

} // namespace

AxisReach reachOf(const DrawnPlan& plan, Axis axis)
{
    const Layout layout = drawnLayout(plan);
    AxisReach reach;
    reach.axis = axis;
    reach.ranks = sizeOf(layout, axis);
    reach.stride = strideOf(layout, axis);
    reach.fewestMembers = reach.ranks;
    reach.groups = 0;
    reach.fewestNodes = reach.ranks;
    eachGroup(plan, layout, axis, [&](int first, const GroupSpread& spread) {
        ++reach.groups;
        reach.leaving += spread.nodes > 1 ? 1 : 0;
        reach.fewestNodes = std::min(reach.fewestNodes, spread.nodes);
        const bool worse =
            spread.nodes > reach.mostNodes ||
            (spread.nodes == reach.mostNodes && spread.fewestMembers < reach.fewestMembers);
        if (worse) {
            reach.mostNodes = spread.nodes;
            reach.worst = Rank(first);
            reach.fewestMembers = spread.fewestMembers;
        }
    });
    return reach;
}

std::vector<int> tensorMembersByRank(const DrawnPlan& plan)
{
    const Layout layout = drawnLayout(plan);
    const int stride = strideOf(layout, Axis::Tensor);
    std::vector<int> members(std::size_t(layout.ranks()), layout.tp);
    eachGroup(plan, layout, Axis::Tensor, [&](int first, const GroupSpread& spread) {
        for (int member = 0; member < layout.tp; ++member)
            members[std::size_t(first + member * stride)] = spread.fewestMembers;
    });
    return members;
}

} // namespace triaxis
