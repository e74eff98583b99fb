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
    int nodeSize() const;          ///< devices of the innermost level
};

/// All presets of resources/clusters.json.
const std::vector<ClusterSpec>& clusterPresets();
/// Throws Error that lists the names.
const ClusterSpec& clusterPreset(const std::string& name);
/// Throws Error that names the field: no levels, spans that do not grow, rates that are not
/// positive and finite.
void checkCluster(const ClusterSpec& cluster);

} // namespace triaxis
