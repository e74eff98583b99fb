#include "ui/plan/floor_model.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"

#include <QHash>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace triaxis::ui
{
namespace
{

constexpr int nodesWithoutRacks = 32;
constexpr int nodesOfARack = 8;

auto fieldsOf(const FloorNotice& notice)
{
    return std::tie(notice.severity, notice.text, notice.device, notice.rank);
}

auto fieldsOf(const FloorModel& model)
{
    return std::tie(model.nodes, model.devicesPerNode, model.nodesPerRack, model.nodeDevices,
                    model.nodeTitles, model.deviceTitles, model.deviceNoun, model.layout,
                    model.placement, model.memoryBytes, model.capacityBytes, model.stageColours,
                    model.notices);
}

struct LooksHash
{
    std::size_t operator()(const std::vector<std::int64_t>& looks) const noexcept
    {
        std::uint64_t mixed = looks.size();
        for (const std::int64_t look : looks) {
            mixed = (mixed ^ std::uint64_t(look)) * 0x9e3779b97f4a7c15ull;
            mixed ^= mixed >> 29;
        }
        return std::size_t(mixed);
    }
};

bool isPlacement(const std::vector<int>& placement, int ranks, int devices)
{
    if (int(placement.size()) != ranks)
        return false;
    std::vector<bool> taken(std::size_t(devices), false);
    for (const int device : placement) {
        if (device < 0 || device >= devices || taken[std::size_t(device)])
            return false;
        taken[std::size_t(device)] = true;
    }
    return true;
}

} // namespace

bool operator==(const FloorNotice& first, const FloorNotice& second)
{
    return fieldsOf(first) == fieldsOf(second);
}

bool FloorModel::operator==(const FloorModel& other) const
{
    return fieldsOf(*this) == fieldsOf(other);
}

FloorModel floorModelOf(const Layout& layout, int devicesPerNode, int nodes)
{
    FloorModel model;
    model.layout = layout;
    model.devicesPerNode = std::max(1, devicesPerNode);
    const int needed = (layout.ranks() + model.devicesPerNode - 1) / model.devicesPerNode;
    model.nodes = nodes > 0 ? nodes : std::max(1, needed);
    if (model.nodes > nodesWithoutRacks)
        model.nodesPerRack = nodesOfARack;
    return model;
}

FloorIndex::FloorIndex(FloorModel model) : m_model(std::move(model))
{
    countDevices();
    placeRanks();
    attachNotices();
    findAlike();
}

void FloorIndex::countDevices()
{
    m_model.nodes = std::max(1, m_model.nodes);
    m_model.devicesPerNode = std::max(1, m_model.devicesPerNode);
    const bool mixed = int(m_model.nodeDevices.size()) == m_model.nodes;
    int next = 0;
    for (int node = 0; node < m_model.nodes; ++node) {
        m_firstDevice.push_back(next);
        next +=
            mixed ? std::max(1, m_model.nodeDevices[std::size_t(node)]) : m_model.devicesPerNode;
    }
    m_realDevices = next;
    // What the layout lacks, in whole nodes.
    const int ranks = std::max(1, m_model.layout.ranks());
    while (next < ranks) {
        m_firstDevice.push_back(next);
        next = std::min(next + m_model.devicesPerNode, ranks);
    }
    m_firstDevice.push_back(next);
    m_nodeOfDevice.reserve(std::size_t(next));
    for (int node = 0; node < nodes(); ++node)
        m_nodeOfDevice.insert(m_nodeOfDevice.end(), std::size_t(devicesOf(node)), node);
}

void FloorIndex::placeRanks()
{
    const int ranks = std::max(1, m_model.layout.ranks());
    const int all = m_firstDevice.back();
    m_rankOfDevice.assign(std::size_t(all), -1);
    m_deviceOfRank.resize(std::size_t(ranks));
    m_identity = !isPlacement(m_model.placement, ranks, all);
    for (int rank = 0; rank < ranks; ++rank) {
        const int device = m_identity ? rank : m_model.placement[std::size_t(rank)];
        m_deviceOfRank[std::size_t(rank)] = device;
        m_rankOfDevice[std::size_t(device)] = rank;
    }
}

void FloorIndex::attachNotices()
{
    for (std::size_t i = 0; i < m_model.notices.size(); ++i) {
        const FloorNotice& notice = m_model.notices[i];
        int device = notice.device;
        if (device < 0 && notice.rank >= 0 && notice.rank < int(m_deviceOfRank.size()))
            device = m_deviceOfRank[std::size_t(notice.rank)];
        if (device >= 0 && device < devices())
            m_noticeOfDevice.emplace_back(device, int(i));
    }
    std::sort(m_noticeOfDevice.begin(), m_noticeOfDevice.end());
}

std::vector<std::int64_t> FloorIndex::looksOf(int node) const
{
    std::vector<std::int64_t> looks{isGhostNode(node)};
    looks.reserve(std::size_t(3 * devicesOf(node) + 1));
    for (int device = firstDevice(node); device < firstDevice(node + 1); ++device) {
        const auto at = coordinatesAt(device);
        looks.push_back(at ? std::int64_t(at->pipeline) * layout().tp + at->tensor : -1);
        looks.push_back(memoryOf(device).value_or(-1));
        looks.push_back(capacityOf(device).value_or(-1));
        if (!m_noticeOfDevice.empty())
            for (const FloorNotice* notice : noticesOf(device))
                looks.push_back(std::int64_t(qHash(notice->text)));
        if (!m_model.deviceTitles.empty())
            looks.push_back(std::int64_t(qHash(deviceTitle(device))));
    }
    return looks;
}

void FloorIndex::findAlike()
{
    std::unordered_map<std::vector<std::int64_t>, int, LooksHash> known;
    m_classOfNode.reserve(std::size_t(nodes()));
    for (int node = 0; node < nodes(); ++node) {
        const auto [place, isNew] = known.try_emplace(looksOf(node), int(m_alike.size()));
        if (isNew)
            m_alike.push_back({node, {}});
        m_alike[std::size_t(place->second)].nodes.push_back(node);
        m_classOfNode.push_back(place->second);
    }
}

int FloorIndex::racks() const
{
    return m_model.nodesPerRack > 0 ? (nodes() + m_model.nodesPerRack - 1) / m_model.nodesPerRack
                                    : 0;
}

int FloorIndex::rackOf(int node) const
{
    return m_model.nodesPerRack > 0 ? node / m_model.nodesPerRack : 0;
}

std::optional<Rank> FloorIndex::rankAt(int device) const
{
    if (device < 0 || device >= devices() || m_rankOfDevice[std::size_t(device)] < 0)
        return std::nullopt;
    return Rank(m_rankOfDevice[std::size_t(device)]);
}

std::optional<Coordinates> FloorIndex::coordinatesAt(int device) const
{
    const auto rank = rankAt(device);
    return rank ? std::optional(coordinatesOf(layout(), *rank)) : std::nullopt;
}

std::vector<int> FloorIndex::tensorGroup(int data, int pipeline) const
{
    std::vector<int> group;
    for (int tensor = 0; tensor < layout().tp; ++tensor)
        group.push_back(deviceOf(Coordinates{data, tensor, pipeline}));
    return group;
}

bool FloorIndex::isInOneNode(const std::vector<int>& devices) const
{
    return std::all_of(devices.begin(), devices.end(),
                       [&](int device) { return nodeOf(device) == nodeOf(devices.front()); });
}

std::optional<std::int64_t> FloorIndex::memoryOf(int device) const
{
    const auto rank = rankAt(device);
    if (!rank || std::size_t(rank->value) >= m_model.memoryBytes.size())
        return std::nullopt;
    return m_model.memoryBytes[std::size_t(rank->value)];
}

std::optional<std::int64_t> FloorIndex::capacityOf(int device) const
{
    const auto& capacity = m_model.capacityBytes;
    if (capacity.empty())
        return std::nullopt;
    const std::size_t index = capacity.size() == 1 ? 0 : std::size_t(device);
    if (index >= capacity.size() || capacity[index] <= 0)
        return std::nullopt;
    return capacity[index];
}

std::optional<double> FloorIndex::fillOf(int device) const
{
    const auto memory = memoryOf(device);
    const auto capacity = capacityOf(device);
    if (!memory || !capacity)
        return std::nullopt;
    return double(*memory) / double(*capacity);
}

bool FloorIndex::isOverCapacity(int device) const
{
    return fillOf(device).value_or(0) > 1;
}

int FloorIndex::colourOf(int stage) const
{
    return std::size_t(stage) < m_model.stageColours.size()
               ? m_model.stageColours[std::size_t(stage)]
               : stage;
}

std::vector<const FloorNotice*> FloorIndex::noticesOf(int device) const
{
    std::vector<const FloorNotice*> found;
    auto place =
        std::lower_bound(m_noticeOfDevice.begin(), m_noticeOfDevice.end(), std::pair(device, 0));
    for (; place != m_noticeOfDevice.end() && place->first == device; ++place)
        found.push_back(&m_model.notices[std::size_t(place->second)]);
    return found;
}

std::optional<Severity> FloorIndex::worstNoticeOf(int device) const
{
    std::optional<Severity> worst;
    for (const FloorNotice* notice : noticesOf(device))
        worst = worst ? std::max(*worst, notice->severity) : notice->severity;
    return worst;
}

QString FloorIndex::nodeTitle(int node) const
{
    if (isGhostNode(node))
        return Words::tr("missing");
    if (std::size_t(node) < m_model.nodeTitles.size())
        return m_model.nodeTitles[std::size_t(node)];
    return Words::tr("node %1").arg(node);
}

QString FloorIndex::deviceTitle(int device) const
{
    const int number = device - firstDevice(nodeOf(device));
    const bool titled = std::size_t(device) < m_model.deviceTitles.size();
    return QStringLiteral("%1 %2")
        .arg(titled ? m_model.deviceTitles[std::size_t(device)] : spoken(m_model.deviceNoun))
        .arg(number);
}

std::vector<int> FloorIndex::stageShares(int firstNode, int lastNode) const
{
    std::vector<int> shares(std::size_t(layout().pp) + 1, 0);
    for (int device = firstDevice(firstNode); device < firstDevice(lastNode + 1); ++device) {
        const auto at = coordinatesAt(device);
        ++shares[std::size_t(at ? at->pipeline : layout().pp)];
    }
    return shares;
}

QString describeDevice(const FloorIndex& floor, int device)
{
    QString text =
        Words::tr("%1 · %2").arg(floor.deviceTitle(device), floor.nodeTitle(floor.nodeOf(device)));
    const auto rank = floor.rankAt(device);
    if (!rank)
        return text + Words::tr(" · unused");
    const Coordinates at = coordinatesOf(floor.layout(), *rank);
    text += Words::tr(" · rank %1 · data %2, tensor %3, pipeline %4")
                .arg(rank->value)
                .arg(at.data)
                .arg(at.tensor)
                .arg(at.pipeline);
    if (const auto memory = floor.memoryOf(device)) {
        text += QStringLiteral(", ") + spoken(units::bytes(*memory));
        if (const auto capacity = floor.capacityOf(device))
            text += Words::tr(" of ") + spoken(units::bytes(*capacity));
        if (floor.isOverCapacity(device))
            text += Words::tr(", over capacity");
    }
    for (const FloorNotice* notice : floor.noticesOf(device))
        text += QStringLiteral(". ") + notice->text;
    return text;
}

} // namespace triaxis::ui
