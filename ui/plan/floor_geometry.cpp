#include "ui/plan/floor_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis::ui
{
namespace
{

constexpr double cellWidth = 46;
constexpr double cellHeight = 42;
constexpr double cellBetween = 7;
constexpr double nodePadding = 11;
constexpr double nodeBetween = 20; ///< links run here
constexpr double titleLine = 22;
constexpr double foldHeight = 22;
constexpr double rackPadding = 16;
constexpr double rackBetween = 36;
constexpr double unevenPenalty = 0.8; ///< for a last row that is not full

/// Devices of a node side by side: rows of four for eight, a square for four.
int columnsOf(int devices)
{
    for (int columns = 1; columns <= devices; ++columns) {
        if (devices % columns == 0 && columns * columns >= devices)
            return columns <= 2 * (devices / columns) + 1 ? columns
                                                          : int(std::ceil(std::sqrt(devices)));
    }
    return 1;
}

double distance(const QRectF& box, const QPointF& point)
{
    const double across = std::max({box.left() - point.x(), 0.0, point.x() - box.right()});
    const double down = std::max({box.top() - point.y(), 0.0, point.y() - box.bottom()});
    return across * across + down * down;
}

} // namespace

int columnsFor(int count, const QSizeF& box, double between, double aspect)
{
    int best = 1;
    double bestScore = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double width = columns * (box.width() + between) - between;
        const double height = rows * (box.height() + between) - between;
        double score = std::min(aspect / width, 1 / height);
        if (count % columns != 0)
            score *= unevenPenalty;
        if (score > bestScore) {
            bestScore = score;
            best = columns;
        }
    }
    return best;
}

FloorGeometry::FloorGeometry(const FloorIndex& floor, const FloorFolding& folding,
                             const QSizeF& room, double scale)
    : m_scale(scale)
{
    m_cell = QSizeF(cellWidth, cellHeight) * scale;
    m_gap = cellBetween * scale;
    m_pad = nodePadding * scale;
    m_title = titleLine * scale;
    m_rackTitle = titleLine * scale;
    m_between = nodeBetween * scale;
    for (int node = 0; node <= floor.nodes(); ++node)
        m_firstDevice.push_back(node < floor.nodes() ? floor.firstDevice(node) : floor.devices());
    for (int device = 0; device < floor.devices(); ++device)
        m_nodeOfDevice.push_back(floor.nodeOf(device));
    chooseSlots(floor, folding);

    int most = 1;
    for (int node = 0; node < floor.nodes(); ++node)
        most = std::max(most, floor.devicesOf(node));
    m_columns = columnsOf(most);
    const int rows = (most + m_columns - 1) / m_columns;
    const bool anyFold =
        std::any_of(m_slots.begin(), m_slots.end(), [](const Slot& slot) { return slot.more > 0; });
    m_fold = anyFold ? foldHeight * scale : 0;
    m_node = {2 * m_pad + m_columns * (m_cell.width() + m_gap) - m_gap,
              m_title + rows * (m_cell.height() + m_gap) - m_gap + m_pad + m_gap + m_fold};

    const double aspect = room.width() > 1 && room.height() > 1 ? room.width() / room.height() : 2;
    if (floor.racks() > 1 && m_slots.size() == std::size_t(floor.nodes())) {
        placeInRacks(floor, aspect);
        return;
    }
    const int real = int(std::count_if(m_slots.begin(), m_slots.end(), [&](const Slot& slot) {
        return !floor.isGhostNode(slot.node);
    }));
    const int columns = columnsFor(std::max(1, real), m_node, m_between, aspect);
    const int slotRows = (int(m_slots.size()) + columns - 1) / columns;
    m_size = {columns * (m_node.width() + m_between) - m_between,
              slotRows * (m_node.height() + m_between) - m_between};
    placeInRows(QRectF(QPointF(), m_size), 0, int(m_slots.size()), columns);
}

void FloorGeometry::chooseSlots(const FloorIndex& floor, const FloorFolding& folding)
{
    m_slotOfNode.assign(std::size_t(floor.nodes()), 0);
    for (int node = 0; node < floor.nodes(); ++node) {
        const NodesAlike& alike = floor.alike()[std::size_t(floor.classOf(node))];
        const bool folds =
            folding.folded && !folding.unfolded.contains(alike.first) && alike.nodes.size() > 1;
        if (folds && node != alike.first) {
            m_slotOfNode[std::size_t(node)] = m_slotOfNode[std::size_t(alike.first)];
            continue;
        }
        m_slotOfNode[std::size_t(node)] = int(m_slots.size());
        m_slots.push_back({node, folds ? int(alike.nodes.size()) - 1 : 0, {}});
    }
}

void FloorGeometry::placeInRacks(const FloorIndex& floor, double aspect)
{
    const int perRack = floor.model().nodesPerRack;
    const int columns = columnsFor(perRack, m_node, m_between, 1);
    const int rows = (perRack + columns - 1) / columns;
    const double pad = rackPadding * m_scale;
    const double between = rackBetween * m_scale;
    const QSizeF rack(2 * pad + columns * (m_node.width() + m_between) - m_between,
                      m_rackTitle + pad + rows * (m_node.height() + m_between) - m_between);
    const int across = columnsFor(floor.racks(), rack, between, aspect);
    for (int index = 0; index < floor.racks(); ++index) {
        const QPointF corner((index % across) * (rack.width() + between),
                             (index / across) * (rack.height() + between));
        const int first = index * perRack;
        const int last = std::min(first + perRack, floor.nodes()) - 1;
        m_racks.push_back({index, first, last, QRectF(corner, rack)});
        placeInRows(m_racks.back().frame.adjusted(pad, m_rackTitle, 0, 0), first, last + 1,
                    columns);
    }
    const int down = (floor.racks() + across - 1) / across;
    m_size = {across * (rack.width() + between) - between,
              down * (rack.height() + between) - between};
}

void FloorGeometry::placeInRows(const QRectF& area, int first, int last, int columns)
{
    for (int slot = first; slot < last; ++slot) {
        const int column = (slot - first) % columns;
        const int row = (slot - first) / columns;
        m_slots[std::size_t(slot)].frame =
            QRectF(area.topLeft() + QPointF(column * (m_node.width() + m_between),
                                            row * (m_node.height() + m_between)),
                   m_node);
    }
}

std::vector<int> FloorGeometry::slotsIn(const QRectF& area) const
{
    std::vector<int> found;
    for (std::size_t slot = 0; slot < m_slots.size(); ++slot) {
        if (m_slots[slot].frame.intersects(area))
            found.push_back(int(slot));
    }
    return found;
}

QRectF FloorGeometry::cell(int device) const
{
    const int node = m_nodeOfDevice[std::size_t(device)];
    const int index = device - m_firstDevice[std::size_t(node)];
    const QRectF& frame = slotOf(node).frame;
    return {QPointF(frame.left() + m_pad + (index % m_columns) * (m_cell.width() + m_gap),
                    frame.top() + m_title + m_gap / 2 +
                        (index / m_columns) * (m_cell.height() + m_gap)),
            m_cell};
}

QRectF FloorGeometry::foldLine(const Slot& slot) const
{
    if (slot.more == 0)
        return {};
    return {slot.frame.left(), slot.frame.bottom() - m_fold, slot.frame.width(), m_fold};
}

FloorSpot FloorGeometry::at(const QPointF& position) const
{
    for (const Slot& slot : m_slots) {
        const double below = slot.more > 0 ? m_between / 2 : 0; // the sign stands on the edge
        if (!slot.frame.adjusted(0, 0, 0, below).contains(position))
            continue;
        if (slot.more > 0 &&
            foldLine(slot).adjusted(0, -m_gap / 2, 0, m_between / 2).contains(position))
            return {FloorSpot::Kind::Fold, -1, slot.node};
        const int first = m_firstDevice[std::size_t(slot.node)];
        const int last = m_firstDevice[std::size_t(slot.node) + 1];
        for (int device = first; device < last; ++device) {
            if (cell(device).contains(position))
                return {FloorSpot::Kind::Device, device, slot.node};
        }
        return {FloorSpot::Kind::Node, -1, slot.node};
    }
    return {};
}

int FloorGeometry::deviceNear(const QPointF& position) const
{
    const Slot* nearest = &m_slots.front();
    for (const Slot& slot : m_slots) {
        if (distance(slot.frame, position) < distance(nearest->frame, position))
            nearest = &slot;
    }
    const int first = m_firstDevice[std::size_t(nearest->node)];
    const int last = m_firstDevice[std::size_t(nearest->node) + 1];
    int best = first;
    for (int device = first; device < last; ++device) {
        if (distance(cell(device), position) < distance(cell(best), position))
            best = device;
    }
    const bool isLast = last == m_firstDevice.back() && best == last - 1;
    if (!isLast)
        return best;
    const QRectF end = cell(best);
    const double across = std::max(0.0, position.x() - end.right()) / (m_cell.width() + m_gap);
    const double down = std::max(0.0, position.y() - end.bottom()) / (m_cell.height() + m_gap);
    return best + int(std::min(1e6, across + down * m_columns));
}

} // namespace triaxis::ui
