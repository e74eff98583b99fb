#pragma once

#include "engine/cluster/cluster.h"

#include <vector>

namespace triaxis
{

/// Neighbouring nodes whose devices are of another kind than the cluster's.
struct NodeDevices
{
    int first = 0; ///< node
    int count = 1;
    DeviceSpec device;
};

/// The floor on which a plan is drawn: nodes of equal size in racks.
struct DrawnCluster
{
    ClusterSpec network; ///< a preset, or one whose figures were edited
    int nodes = 1;
    int nodeSize = 8;               ///< devices a node
    int rack = 8;                   ///< nodes a rack
    std::vector<NodeDevices> mixed; ///< later entries win
    /// Ranks are processes on this machine, drawn as nodes × nodeSize; `network` is then not used.
    bool thisMachine = false;

    int devices() const { return nodes * nodeSize; }
    int nodeOf(int device) const { return device / nodeSize; }
    int slotOf(int device) const { return device % nodeSize; }
    int deviceOf(int node, int slot) const { return node * nodeSize + slot; }
    const DeviceSpec& specOfNode(int node) const;
    const DeviceSpec& specOf(int device) const { return specOfNode(nodeOf(device)); }
};

/// Most devices and nodes that a plan may have.
inline constexpr int mostDevices = 1 << 20;

/// Devices that a cluster's own levels put into one node: the span of its last level but the
/// network between nodes; 8 where one level joins everything.
int usualNodeSize(const ClusterSpec& network);

/// The network with nodes of `nodeSize` devices: the level between nodes stays as it is, levels
/// inside that would be larger than a node shrink to it.
ClusterSpec networkWithNodes(const ClusterSpec& network, int nodeSize);

/// The network as groups see it whose members are `ratio` times as far apart as they are priced:
/// spans shrink by it, and levels that join no two members any more vanish. Below 1: they grow.
ClusterSpec networkSeenFrom(const ClusterSpec& network, double ratio);

/// The same figures, field by field.
bool sameDevice(const DeviceSpec& a, const DeviceSpec& b);
bool sameNetwork(const ClusterSpec& a, const ClusterSpec& b);

} // namespace triaxis
