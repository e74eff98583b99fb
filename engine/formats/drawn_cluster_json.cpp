#include "engine/formats/drawn_cluster_json.h"

#include "engine/cluster/device_json.h"

namespace triaxis
{
namespace
{

constexpr double mostRate = 1e21;
constexpr double longestTime = 1e6;
constexpr NumberFormat formats[] = {NumberFormat::Fp32, NumberFormat::Tf32, NumberFormat::Fp16,
                                    NumberFormat::Bf16, NumberFormat::Fp8,  NumberFormat::Fp4};

nlohmann::ordered_json deviceJson(const DeviceSpec& device)
{
    for (const DeviceSpec& preset : devicePresets())
        if (sameDevice(preset, device))
            return device.name;
    nlohmann::ordered_json peaks = nlohmann::ordered_json::object();
    for (const NumberFormat format : formats)
        if (device.peak[std::size_t(format)] > 0)
            peaks[toText(format)] = device.peak[std::size_t(format)];
    return {{"name", device.name},
            {"title", device.title},
            {"vendor", device.vendor},
            {"peak", peaks},
            {"memoryBytes", device.memoryBytes},
            {"memoryBandwidth", device.memoryBandwidth},
            {"computeUnits", device.computeUnits},
            {"scaleUpBandwidth", device.scaleUpBandwidth},
            {"pcieBandwidth", device.pcieBandwidth}};
}

DeviceSpec deviceFrom(const JsonFields& owner)
{
    if (owner.value("device").is_string())
        return devicePreset(owner.text("device"));
    const JsonFields fields = owner.object("device");
    DeviceSpec device;
    device.name = fields.text("name");
    device.title = fields.text("title", device.name);
    device.vendor = fields.text("vendor", "");
    const JsonFields peaks = fields.object("peak");
    for (const NumberFormat format : formats)
        device.peak[std::size_t(format)] = peaks.real(toText(format), 0, mostRate, 0.0);
    device.memoryBytes = fields.integer("memoryBytes", 1, std::int64_t(1) << 60);
    device.memoryBandwidth = fields.real("memoryBandwidth", 1, mostRate);
    device.computeUnits = fields.smallInteger("computeUnits", 1, 1 << 20, 1);
    device.scaleUpBandwidth = fields.real("scaleUpBandwidth", 0, mostRate, 0.0);
    device.pcieBandwidth = fields.real("pcieBandwidth", 0, mostRate, 0.0);
    checkDevice(device);
    return device;
}

nlohmann::ordered_json levelJson(const LinkLevel& level)
{
    return {{"name", level.name},
            {"span", level.span},
            {"bandwidth", level.bandwidth},
            {"latency", level.latency},
            {"startup", level.startup},
            {"efficiency", level.efficiency},
            {"copyBandwidth", level.copyBandwidth},
            {"halfSize", level.halfSize},
            {"sharing", level.sharing},
            {"reducesInNetwork", level.reducesInNetwork}};
}

LinkLevel levelFrom(const JsonFields& fields)
{
    LinkLevel level;
    level.name = fields.text("name");
    level.span = fields.smallInteger("span", 0, mostDevices);
    level.bandwidth = fields.real("bandwidth", 1, mostRate);
    level.latency = fields.real("latency", 0, longestTime);
    level.startup = fields.real("startup", 0, longestTime, 0.0);
    level.efficiency = fields.real("efficiency", 1e-6, 1, 1.0);
    level.copyBandwidth = fields.real("copyBandwidth", 0, mostRate, 0.0);
    level.halfSize = fields.real("halfSize", 0, mostRate, 0.0);
    level.sharing = fields.smallInteger("sharing", 1, 1 << 20, 1);
    level.reducesInNetwork = fields.boolean("reducesInNetwork", false);
    return level;
}

nlohmann::ordered_json networkJson(const ClusterSpec& network)
{
    for (const ClusterSpec& preset : clusterPresets())
        if (sameNetwork(preset, network))
            return network.name;
    nlohmann::ordered_json levels = nlohmann::ordered_json::array();
    for (const LinkLevel& level : network.levels)
        levels.push_back(levelJson(level));
    return {{"name", network.name},
            {"title", network.title},
            {"source", network.source},
            {"device", deviceJson(network.device)},
            {"levels", levels}};
}

ClusterSpec networkFrom(const JsonFields& owner)
{
    if (owner.value("network").is_string())
        return clusterPreset(owner.text("network"));
    const JsonFields fields = owner.object("network");
    ClusterSpec network;
    network.name = fields.text("name");
    network.title = fields.text("title", network.name);
    network.source = fields.text("source", "");
    network.device = deviceFrom(fields);
    const nlohmann::json& levels = fields.array("levels");
    constexpr std::size_t mostLevels = 16;
    if (levels.empty() || levels.size() > mostLevels)
        fields.refuse("levels", "has " + std::to_string(levels.size()) + " entries",
                      "give 1 to 16 levels, the innermost first");
    for (std::size_t i = 0; i < levels.size(); ++i)
        network.levels.push_back(
            levelFrom(JsonFields(levels[i], "cannot read the plan", "",
                                 "cluster.network.levels[" + std::to_string(i) + "]")));
    checkCluster(network);
    return network;
}

} // namespace

nlohmann::ordered_json toJson(const DrawnCluster& cluster)
{
    nlohmann::ordered_json json{{"thisMachine", cluster.thisMachine},
                                {"nodes", cluster.nodes},
                                {"nodeSize", cluster.nodeSize},
                                {"rack", cluster.rack},
                                {"network", networkJson(cluster.network)}};
    nlohmann::ordered_json mixed = nlohmann::ordered_json::array();
    for (const NodeDevices& nodes : cluster.mixed)
        mixed.push_back(
            {{"first", nodes.first}, {"count", nodes.count}, {"device", deviceJson(nodes.device)}});
    if (!mixed.empty())
        json["mixed"] = mixed;
    return json;
}

DrawnCluster drawnClusterFrom(const JsonFields& fields)
{
    DrawnCluster cluster;
    cluster.thisMachine = fields.boolean("thisMachine", false);
    cluster.nodes = fields.smallInteger("nodes", 1, mostDevices);
    cluster.nodeSize = fields.smallInteger("nodeSize", 1, mostDevices);
    if (double(cluster.nodes) * cluster.nodeSize > mostDevices)
        fields.refuse("nodes", "times nodeSize is more than " + std::to_string(mostDevices),
                      "use fewer nodes");
    cluster.rack = fields.smallInteger("rack", 1, mostDevices, 8);
    cluster.network = fields.has("network") ? networkFrom(fields) : clusterPreset("dgx-h100");
    if (!fields.has("mixed"))
        return cluster;
    const nlohmann::json& mixed = fields.array("mixed");
    constexpr std::size_t mostEntries = 4096;
    if (mixed.size() > mostEntries)
        fields.refuse("mixed", "has " + std::to_string(mixed.size()) + " entries",
                      "give at most 4096");
    for (std::size_t i = 0; i < mixed.size(); ++i) {
        const JsonFields entry(mixed[i], "cannot read the plan", "",
                               "cluster.mixed[" + std::to_string(i) + "]");
        NodeDevices nodes;
        nodes.first = entry.smallInteger("first", 0, mostDevices);
        nodes.count = entry.smallInteger("count", 1, mostDevices);
        nodes.device = deviceFrom(entry);
        cluster.mixed.push_back(std::move(nodes));
    }
    return cluster;
}

} // namespace triaxis
