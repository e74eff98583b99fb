#pragma once

#include "engine/cluster/device.h"

#include <string>
#include <vector>

namespace triaxis
{

/// One level of a hierarchical network, innermost first: NVLink in a node, then rails between
/// nodes, …
struct LinkLevel
{
    std::string name; ///< "NVLink 3", "InfiniBand HDR"
    int span = 0;     ///< devices that the level joins: 8, 72; 0: all of the cluster
    double bandwidth =
        0; ///< bytes a second, one direction, that each device gets while all of them send
    double latency = 0; ///< seconds from one device to another
    double startup = 0; ///< seconds of a collective before its first byte moves: launch, handshake
    double efficiency = 1;    ///< share of the bandwidth that a very large collective reaches
    double copyBandwidth = 0; ///< bytes a second at which an all-reduce passes its buffer through a
                              ///< device's own memory, on top of the transfers; 0: no such cost
    double halfSize = 0; ///< bytes of a collective that reaches half of that rate: bandwidth ·
                         ///< efficiency / (1 + √(halfSize / bytes))
    int sharing =
        1; ///< devices that share one link: alone, a device gets up to sharing × bandwidth
    bool reducesInNetwork = false; ///< NVLS, SHARP: the switch adds
};

/// Devices and how they are joined.
struct ClusterSpec
{
    std::string name;   ///< "dgx-a100"
    std::string title;  ///< "DGX A100, 8 × HDR InfiniBand"
    std::string source; ///< where the figures were read
    DeviceSpec device;
    std::vector<LinkLevel> levels; ///< innermost first; the last has span 0
    /// Devices of the innermost level; the largest int where that joins the whole cluster.
    int nodeSize() const;
};

/// All presets of resources/clusters.json.
const std::vector<ClusterSpec>& clusterPresets();
/// Throws Error that lists the names.
const ClusterSpec& clusterPreset(const std::string& name);
/// A cluster of one's own: an object as in resources/clusters.json, whose device is the name of a
/// preset or an object as in resources/devices.json, and whose levels take their constants from a
/// link type of the presets ("link") or state them. Throws Error that names the field.
ClusterSpec clusterFromJson(const std::string& text, const std::string& source);
/// The cluster as the links of one of its devices are where that is another one: links within the
/// node are no quicker than its own, those of PCIe where it has none else.
ClusterSpec withDevice(ClusterSpec cluster, const DeviceSpec& device);
/// Throws Error that names the field: no levels, spans that do not grow, rates that are not
/// positive and finite.
void checkCluster(const ClusterSpec& cluster);

} // namespace triaxis
