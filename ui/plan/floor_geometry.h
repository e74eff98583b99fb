#pragma once

#include "ui/plan/floor_model.h"

#include <QRectF>
#include <QSizeF>

#include <optional>
#include <set>
#include <vector>

namespace triaxis::ui
{

/// Which equal nodes are drawn as one.
struct FloorFolding
{
    bool folded = false;
    std::set<int> unfolded; ///< first nodes of those that are drawn one by one all the same
    auto operator<=>(const FloorFolding&) const = default;
};

/// What lies under a point of the floor.
struct FloorSpot
{
    enum class Kind { Nothing, Device, Node, Fold } kind = Kind::Nothing;
    int device = -1;
    int node = -1;
};

/// Where everything of the floor lies at a zoom of 1: nodes in rows, in racks where there are any,
/// devices in rows inside their node. It depends on the cluster and the folding only, so that
/// nothing moves while a layout is drawn.
class FloorGeometry
{
public:
    FloorGeometry() : FloorGeometry(FloorIndex(), {}, {600, 300}, 1) {}
    /// `room`: its shape decides how many nodes lie side by side. `scale`: text size.
    FloorGeometry(const FloorIndex& floor, const FloorFolding& folding, const QSizeF& room,
                  double scale);

    /// One drawn node, for itself or for others like it.
    struct Slot
    {
        int node = 0;
        int more = 0; ///< nodes that are not drawn because they are like this one
        QRectF frame;
    };
    struct Rack
    {
        int index = 0;
        int firstNode = 0;
        int lastNode = 0;
        QRectF frame;
    };

    QSizeF size() const { return m_size; }
    const std::vector<Slot>& slotsDrawn() const { return m_slots; }
    const std::vector<Rack>& racks() const { return m_racks; }
    /// The slot that stands for a node.
    const Slot& slotOf(int node) const
    {
        return m_slots[std::size_t(m_slotOfNode[std::size_t(node)])];
    }
    /// Indices of the slots that touch an area, ascending.
    std::vector<int> slotsIn(const QRectF& area) const;

    QRectF cell(int device) const;
    QSizeF cellSize() const { return m_cell; }
    double cellGap() const { return m_gap; }
    int columnsOfNode() const { return m_columns; }
    double titleHeight() const { return m_title; }
    double rackTitleHeight() const { return m_rackTitle; }
    double scale() const { return m_scale; }
    /// The line "× 255 more like this" below the cells; null where nothing is folded.
    QRectF foldLine(const Slot& slot) const;
    FloorSpot at(const QPointF& position) const;
    /// The device whose cell is nearest, beyond the last one counted on by whole cells: where a
    /// drag has come to.
    int deviceNear(const QPointF& position) const;

private:
    void chooseSlots(const FloorIndex& floor, const FloorFolding& folding);
    void placeInRacks(const FloorIndex& floor, double aspect);
    void placeInRows(const QRectF& area, int first, int last, int columns);

    double m_scale;
    QSizeF m_cell;
    double m_gap = 0;
    double m_pad = 0;
    double m_title = 0;
    double m_rackTitle = 0;
    double m_fold = 0; ///< height of the fold line
    double m_between = 0;
    int m_columns = 1;
    QSizeF m_node;
    QSizeF m_size;
    std::vector<Slot> m_slots;
    std::vector<Rack> m_racks;
    std::vector<int> m_slotOfNode;
    std::vector<int> m_nodeOfDevice;
    std::vector<int> m_firstDevice;
};

/// How many of `count` boxes to put side by side so that they fill a room of that aspect (width
/// over height) best; divisors of `count` are preferred.
int columnsFor(int count, const QSizeF& box, double between, double aspect);

} // namespace triaxis::ui
