#pragma once

#include "engine/plan/drawn_plan.h"

namespace triaxis
{

/// How far the groups of one axis reach over the nodes of the floor.
struct AxisReach
{
    Axis axis = Axis::Tensor;
    int ranks = 1;   ///< of a group
    int stride = 1;  ///< distance of neighbouring members by rank number
    int leaving = 0; ///< groups that span more than one node
    int groups = 1;
    int fewestNodes = 1; ///< that one group spans
    int mostNodes = 1;
    Rank worst{0}; ///< first rank of a group that spans the most
    /// Members of the worst group on the node that has the fewest of them.
    int fewestMembers = 1;
};

/// In time that grows with the number of ranks. Context ranks count as data ranks.
AxisReach reachOf(const DrawnPlan& plan, Axis axis);

/// [rank] members of the rank's tensor group on the node that has the fewest of them.
std::vector<int> tensorMembersByRank(const DrawnPlan& plan);

} // namespace triaxis
