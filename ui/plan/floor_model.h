#pragma once

#include "engine/core/diagnostic.h"
#include "engine/core/ids.h"
#include "engine/layout/layout.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace triaxis::ui
{

/// Something to look at, beside the cell that causes it.
struct FloorNotice
{
    Severity severity = Severity::Note;
    QString text;
    int device = -1; ///< the cell, or
    int rank = -1;   ///< the rank whose cell it is
};

/// All that the picture of the cluster shows. A plain value, equal to itself after undo.
/// Devices are counted through the nodes: node 0's first, then node 1's.
struct FloorModel
{
    int nodes = 1;
    int devicesPerNode = 1;          ///< of a full node
    int nodesPerRack = 0;            ///< 0: no racks
    std::vector<int> nodeDevices;    ///< by node, where nodes are mixed; empty: devicesPerNode each
    std::vector<QString> nodeTitles; ///< by node; empty: "node 3"
    std::vector<QString> deviceTitles; ///< by device, for mixed nodes ("H100"); empty: all alike
    QString deviceNoun = QStringLiteral("GPU"); ///< "GPU", "place"

    Layout layout;              ///< dp, tp, pp and the rank order count
    std::vector<int> placement; ///< device of rank; empty: rank r on device r

    std::vector<std::int64_t> memoryBytes;   ///< predicted peak, by rank; empty: unknown
    std::vector<std::int64_t> capacityBytes; ///< by device, or one for all; empty: unknown
    std::vector<int> stageColours; ///< by stage: index into Theme::stages; empty: the stage
    std::vector<FloorNotice> notices;

    bool operator==(const FloorModel& other) const;
};

bool operator==(const FloorNotice& first, const FloorNotice& second);

/// Nodes of devicesPerNode that hold the layout, without racks up to 32 nodes.
FloorModel floorModelOf(const Layout& layout, int devicesPerNode, int nodes = 0);

/// Nodes that look the same but for their replica: same devices, same stages and tensor ranks in
/// the same places, same memory and notices.
struct NodesAlike
{
    int first = 0;          ///< the node that stands for them
    std::vector<int> nodes; ///< ascending, `first` included
};

/// Answers about a model, from tables built once: every query but those that return lists takes
/// constant time. Devices from FloorModel's last to devices() − 1 do not exist: they are what the
/// layout lacks ("ghosts"), in nodes of their own. Placements that name a device twice or outside
/// are read as the identity.
class FloorIndex
{
public:
    FloorIndex() : FloorIndex(FloorModel{}) {}
    explicit FloorIndex(FloorModel model);

    const FloorModel& model() const { return m_model; }
    const Layout& layout() const { return m_model.layout; }

    int realDevices() const { return m_realDevices; }
    int devices() const { return int(m_rankOfDevice.size()); } ///< ghosts included
    int realNodes() const { return m_model.nodes; }
    int nodes() const { return int(m_firstDevice.size()) - 1; } ///< ghosts included
    int missingDevices() const { return devices() - realDevices(); }
    bool isGhost(int device) const { return device >= m_realDevices; }
    bool isGhostNode(int node) const { return node >= m_model.nodes; }

    int firstDevice(int node) const { return m_firstDevice[std::size_t(node)]; }
    int devicesOf(int node) const { return firstDevice(node + 1) - firstDevice(node); }
    int nodeOf(int device) const { return m_nodeOfDevice[std::size_t(device)]; }
    int racks() const;
    int rackOf(int node) const;

    /// Nothing where a device is unused.
    std::optional<Rank> rankAt(int device) const;
    std::optional<Coordinates> coordinatesAt(int device) const;
    int deviceOf(Rank rank) const { return m_deviceOfRank[std::size_t(rank.value)]; }
    int deviceOf(const Coordinates& at) const { return deviceOf(rankOf(layout(), at)); }
    /// Devices of a tensor group, by tensor rank.
    std::vector<int> tensorGroup(int data, int pipeline) const;
    bool isInOneNode(const std::vector<int>& devices) const;
    bool hasIdentityPlacement() const { return m_identity; }

    std::optional<std::int64_t> memoryOf(int device) const;
    std::optional<std::int64_t> capacityOf(int device) const;
    /// Memory over capacity; nothing where either is unknown.
    std::optional<double> fillOf(int device) const;
    bool isOverCapacity(int device) const;
    int colourOf(int stage) const;
    /// By device.
    std::vector<const FloorNotice*> noticesOf(int device) const;
    std::optional<Severity> worstNoticeOf(int device) const;

    QString nodeTitle(int node) const;
    QString deviceTitle(int device) const; ///< "GPU 2", or "H100 2" where titles are given

    /// In the order of their first nodes; every node is in exactly one.
    const std::vector<NodesAlike>& alike() const { return m_alike; }
    int classOf(int node) const { return m_classOfNode[std::size_t(node)]; }
    /// Ranks by stage on a node, on one or several nodes [pp], and unused devices last.
    std::vector<int> stageShares(int firstNode, int lastNode) const;

private:
    void countDevices();
    void placeRanks();
    void attachNotices();
    void findAlike();
    std::vector<std::int64_t> looksOf(int node) const;

    FloorModel m_model;
    int m_realDevices = 1;
    bool m_identity = true;
    std::vector<int> m_firstDevice; ///< by node, one more at the end
    std::vector<int> m_nodeOfDevice;
    std::vector<int> m_rankOfDevice; ///< −1: unused
    std::vector<int> m_deviceOfRank;
    std::vector<std::pair<int, int>> m_noticeOfDevice; ///< (device, notice), sorted
    std::vector<NodesAlike> m_alike;
    std::vector<int> m_classOfNode;
};

/// "GPU 2 · node 1 · rank 10 · data 0, tensor 2, pipeline 1, 59 GB of 80 GB"
QString describeDevice(const FloorIndex& floor, int device);

} // namespace triaxis::ui
