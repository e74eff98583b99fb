#include "engine/plan/drawn_cluster.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

bool sameLevel(const LinkLevel& a, const LinkLevel& b)
{
    return a.name == b.name && a.span == b.span && a.bandwidth == b.bandwidth &&
           a.latency == b.latency && a.startup == b.startup && a.efficiency == b.efficiency &&
           a.copyBandwidth == b.copyBandwidth && a.halfSize == b.halfSize &&
           a.sharing == b.sharing && a.reducesInNetwork == b.reducesInNetwork;
}

} // namespace

const DeviceSpec& DrawnCluster::specOfNode(int node) const
{
    for (auto entry = mixed.rbegin(); entry != mixed.rend(); ++entry)
        if (node >= entry->first && node - entry->first < entry->count)
            return entry->device;
    return network.device;
}

int usualNodeSize(const ClusterSpec& network)
{
    constexpr int usual = 8;
    for (auto level = network.levels.rbegin(); level != network.levels.rend(); ++level)
        if (level->span > 0)
            return level->span;
    return usual;
}

ClusterSpec networkWithNodes(const ClusterSpec& network, int nodeSize)
{
    ClusterSpec changed = network;
    changed.levels.clear();
    const int now = usualNodeSize(network);
    for (LinkLevel level : network.levels) {
        if (level.span == now)
            level.span = nodeSize;
        const bool joins = level.span == 0 || (level.span > 1 && level.span <= nodeSize);
        const bool grows =
            changed.levels.empty() || level.span == 0 || level.span > changed.levels.back().span;
        if (joins && grows)
            changed.levels.push_back(std::move(level));
    }
    return changed;
}

ClusterSpec networkSeenFrom(const ClusterSpec& network, double ratio)
{
    if (ratio == 1)
        return network;
    ClusterSpec seen = network;
    seen.levels.clear();
    for (LinkLevel level : network.levels) {
        if (level.span > 0) {
            const double span = std::floor(level.span / ratio);
            level.span = int(std::min(span, double(mostDevices)));
            const int inner = seen.levels.empty() ? 1 : seen.levels.back().span;
            if (level.span <= inner)
                continue;
        }
        seen.levels.push_back(std::move(level));
    }
    return seen;
}

bool sameDevice(const DeviceSpec& a, const DeviceSpec& b)
{
    return a.name == b.name && a.title == b.title && a.vendor == b.vendor && a.peak == b.peak &&
           a.memoryBytes == b.memoryBytes && a.memoryBandwidth == b.memoryBandwidth &&
           a.computeUnits == b.computeUnits && a.scaleUpBandwidth == b.scaleUpBandwidth &&
           a.pcieBandwidth == b.pcieBandwidth;
}

bool sameNetwork(const ClusterSpec& a, const ClusterSpec& b)
{
    return a.name == b.name && a.title == b.title && sameDevice(a.device, b.device) &&
           std::equal(a.levels.begin(), a.levels.end(), b.levels.begin(), b.levels.end(),
                      sameLevel);
}

} // namespace triaxis
