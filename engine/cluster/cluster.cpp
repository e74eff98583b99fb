#include "engine/cluster/cluster.h"

#include "engine/cluster/device_json.h"
#include "engine/core/embedded_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

const std::string presetFile = "clusters.json";
constexpr int mostDevices = 1'000'000'000;
constexpr double mostRate = 1e9; // GB/s
constexpr double mostMicroseconds = 1e9;
constexpr double mostHalfSize = 1e12; // KiB

const nlohmann::json& presetJson()
{
    static const nlohmann::json file = parseJson(std::string(embeddedText("clusters")),
                                                 "cannot read the built-in clusters", presetFile);
    return file;
}

/// What a link type, or a level that states its own, says of the link's behaviour.
void readBehaviour(const JsonFields& fields, LinkLevel& level)
{
    level.name = fields.text("name", level.name);
    level.latency = 1e-6 * fields.real("latencyUs", 0, mostMicroseconds, 1e6 * level.latency);
    level.startup = 1e-6 * fields.real("startupUs", 0, mostMicroseconds, 1e6 * level.startup);
    level.efficiency = fields.real("efficiency", 1e-6, 1, level.efficiency);
    level.halfSize = 1024 * fields.real("halfSizeKiB", 0, mostHalfSize, level.halfSize / 1024);
    level.copyBandwidth = 1e9 * fields.real("copyGBps", 0, mostRate, level.copyBandwidth / 1e9);
    level.reducesInNetwork = fields.boolean("reducesInNetwork", level.reducesInNetwork);
}

void readLinkType(const JsonFields& fields, LinkLevel& level)
{
    const std::string link = fields.text("link");
    const nlohmann::json& types = presetJson().at("links");
    const auto found = types.find(link);
    if (found != types.end())
        return readBehaviour(
            JsonFields(*found, "cannot read the built-in clusters", presetFile, "links." + link),
            level);
    std::string known;
    for (const auto& item : types.items())
        known += (known.empty() ? "" : ", ") + item.key();
    fields.refuse("link", '"' + link + "\" is no known link type", "use one of " + known);
}

LinkLevel levelFromFields(const JsonFields& fields)
{
    LinkLevel level;
    level.name = "link";
    if (fields.has("link"))
        readLinkType(fields, level);
    readBehaviour(fields, level);
    level.span = fields.smallInteger("span", 0, mostDevices);
    level.bandwidth = 1e9 * fields.real("bandwidthGBps", 0, mostRate);
    level.sharing = fields.smallInteger("sharing", 1, mostDevices, 1);
    return level;
}

DeviceSpec deviceOf(const JsonFields& fields)
{
    if (fields.value("device").is_string())
        return devicePreset(fields.text("device"));
    return deviceFromFields(fields.object("device"));
}

ClusterSpec clusterFromFields(const JsonFields& fields, const std::string& tried,
                              const std::string& source)
{
    ClusterSpec cluster;
    cluster.name = fields.text("name");
    cluster.title = fields.text("title", cluster.name);
    cluster.source = fields.text("source", "");
    cluster.device = deviceOf(fields);
    for (const nlohmann::json& entry : fields.array("levels")) {
        const std::string where =
            cluster.name + ": levels[" + std::to_string(cluster.levels.size()) + "]";
        cluster.levels.push_back(levelFromFields(JsonFields(entry, tried, source, where)));
    }
    checkCluster(cluster);
    return cluster;
}

std::vector<ClusterSpec> readClusters()
{
    const std::string tried = "cannot read the built-in clusters";
    std::vector<ClusterSpec> clusters;
    for (const nlohmann::json& entry :
         JsonFields(presetJson(), tried, presetFile).array("clusters")) {
        const std::string where = "clusters[" + std::to_string(clusters.size()) + "]";
        clusters.push_back(
            clusterFromFields(JsonFields(entry, tried, presetFile, where), tried, presetFile));
    }
    return clusters;
}

[[noreturn]] void refuse(const ClusterSpec& cluster, const std::string& detail,
                         const std::string& remedy)
{
    throw Error("cannot use the cluster " + cluster.name, detail, remedy);
}

void checkLevel(const ClusterSpec& cluster, std::size_t index)
{
    const LinkLevel& level = cluster.levels[index];
    const std::string name = "level " + std::to_string(index + 1) + " (" + level.name + ")";
    const bool last = index + 1 == cluster.levels.size();
    if (last != (level.span == 0))
        refuse(cluster, name + (last ? " has a span" : " has span 0"),
               "give the last level, and only the last, span 0: all devices");
    const int inner = index == 0 ? 1 : cluster.levels[index - 1].span;
    if (!last && level.span < inner + (index == 0 ? 0 : 1))
        refuse(cluster, name + " joins no more devices than the level inside it",
               "let the spans grow from level to level");
    if (!(level.bandwidth > 0) || !std::isfinite(level.bandwidth))
        refuse(cluster, "the bandwidth of " + name + " is not positive and finite", "correct it");
    if (!(level.efficiency > 0) || level.efficiency > 1)
        refuse(cluster, "the efficiency of " + name + " is not between 0 and 1", "correct it");
    for (const double value : {level.latency, level.startup, level.halfSize, level.copyBandwidth})
        if (!(value >= 0) || !std::isfinite(value))
            refuse(cluster, "a constant of " + name + " is negative or not finite",
                   "correct latency, startup, half size and copy bandwidth");
    if (level.sharing < 1)
        refuse(cluster, "the sharing of " + name + " is below 1",
               "give the devices that share one port");
}

} // namespace

int ClusterSpec::nodeSize() const
{
    if (levels.empty() || levels.front().span <= 0)
        return std::numeric_limits<int>::max();
    return levels.front().span;
}

const std::vector<ClusterSpec>& clusterPresets()
{
    static const std::vector<ClusterSpec> clusters = readClusters();
    return clusters;
}

const ClusterSpec& clusterPreset(const std::string& name)
{
    std::string known;
    for (const ClusterSpec& cluster : clusterPresets()) {
        if (cluster.name == name)
            return cluster;
        known += (known.empty() ? "" : ", ") + cluster.name;
    }
    throw Error("cannot find the cluster", '"' + name + "\" is not known", "use one of " + known);
}

ClusterSpec clusterFromJson(const std::string& text, const std::string& source)
{
    const std::string tried = "cannot read the cluster";
    const nlohmann::json file = parseJson(text, tried, source);
    return clusterFromFields(JsonFields(file, tried, source), tried, source);
}

ClusterSpec withDevice(ClusterSpec cluster, const DeviceSpec& device)
{
    const double own = device.scaleUpBandwidth > 0 ? device.scaleUpBandwidth : device.pcieBandwidth;
    if (own > 0 && cluster.levels.size() > 1)
        cluster.levels.front().bandwidth = std::min(cluster.levels.front().bandwidth, own);
    cluster.device = device;
    return cluster;
}

void checkCluster(const ClusterSpec& cluster)
{
    checkDevice(cluster.device);
    if (cluster.levels.empty())
        refuse(cluster, "it has no level", "give at least one level that joins its devices");
    for (std::size_t i = 0; i < cluster.levels.size(); ++i)
        checkLevel(cluster, i);
}

} // namespace triaxis
