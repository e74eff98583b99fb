#pragma once

#include "engine/cluster/cluster.h"

namespace triaxis
{

enum class Collective { AllReduce, ReduceScatter, AllGather, AllToAll, Broadcast, PointToPoint };

/// Where the members of a group sit and what else uses their links.
struct GroupPlacement
{
    int ranks = 1;
    int stride = 1; ///< distance of neighbouring members in device numbers: TP fastest has 1, DP
                    ///< after it tp, …
    int concurrent =
        1; ///< groups of the same kind whose members share the links of one node at that time
    double beyond = 1; ///< share of an all-to-all for other nodes that crosses the network: less
                       ///< than 1 where copies of one token for a node travel once
};

/// Seconds of one collective over `bytes` of one rank's full buffer (all-reduce: the vector;
/// all-gather: the gathered result; reduce-scatter: the input; all-to-all: what one rank sends in
/// all, its own part included; point-to-point: the message). The quickest of ring, tree, in-network
/// reduction and hierarchical forms; efficiency by size. 0 for one rank. Always positive otherwise,
/// finite, and never shorter for more bytes or less bandwidth.
double collectiveSeconds(const ClusterSpec& cluster, Collective kind, double bytes,
                         const GroupPlacement& group);

/// nccl-tests' bus bandwidth factor: 2(n−1)/n for all-reduce, (n−1)/n for gather, scatter and
/// all-to-all, 1 otherwise.
double busFactor(Collective kind, int ranks);

} // namespace triaxis
