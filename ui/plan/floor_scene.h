#pragma once

#include "ui/plan/floor_geometry.h"
#include "ui/plan/floor_sprites.h"

#include <QFont>
#include <QLineF>
#include <QRect>

#include <map>
#include <optional>
#include <utility>
#include <vector>

class QPainter;
class QPainterPath;

namespace triaxis::ui
{

/// How much of a cell is drawn, by its size on the screen.
enum class FloorDetail {
    Shares, ///< nodes or racks as bars of their stages
    Mosaic, ///< a dot a device
    Cells,  ///< cells with memory bars
    Labels  ///< and with their coordinates
};

/// What the parts of one picture of the floor share.
class FloorScene
{
public:
    /// `origin`: where the floor's corner lies in the viewport.
    FloorScene(const FloorIndex& floor, const FloorGeometry& geometry, const Theme& theme,
               FloorSprites& sprites, double zoom, const QPointF& origin, const QSize& viewport);

    const FloorIndex& floor;
    const FloorGeometry& geometry;
    const Theme& theme;
    FloorSprites& sprites;
    const double zoom;
    const QPointF origin;
    const QSize viewport;

    QRectF visible() const; ///< of the floor
    QPointF toScreen(const QPointF& point) const { return point * zoom + origin; }
    QRect toScreen(const QRectF& box) const;
    QSize cellPixels() const { return m_cell; }
    QRect cell(int device) const; ///< all of one size
    FloorDetail detail() const { return m_detail; }
    CellLook lookOf(int device) const;
    /// Of the labels; nothing where they do not fit into a cell.
    const std::optional<QFont>& labelFont() const { return m_labelFont; }
    double textScale() const { return m_textScale; }
    const QFont& smallFont() const { return m_small; }
    const QFont& tinyFont() const { return m_tiny; }
    int smallAscent() const { return m_smallAscent; } ///< pixels
    int tinyAscent() const { return m_tinyAscent; }

private:
    QSize m_cell;
    double m_textScale;
    FloorDetail m_detail;
    std::optional<QFont> m_labelFont;
    // Made once a picture: a font costs more than the word that is drawn with it.
    QFont m_small;
    QFont m_tiny;
    int m_smallAscent;
    int m_tinyAscent;
};

FloorDetail detailOf(const QSize& cell, double textScale);

/// Frames, cells, outlines, links and marks of everything that is visible.
void paintFloor(QPainter& painter, const FloorScene& scene);
/// Devices as dots, on their nodes and racks.
void paintMosaic(QPainter& painter, const FloorScene& scene);
/// Cells of a node with the outlines of its tensor groups.
void paintCells(QPainter& painter, const FloorScene& scene, const FloorGeometry::Slot& slot);
/// "0·1·2", as on the cell of a rank.
QString labelOf(const Coordinates& at);
/// One cell with its label and mark.
void paintCell(QPainter& painter, const FloorScene& scene, int device);
/// Outline of the part of a tensor group that lies on each node.
void paintOutlines(QPainter& painter, const FloorScene& scene, const std::vector<int>& group);
/// The parts of tensor groups that lie on one node, by (data, pipeline).
std::map<std::pair<int, int>, std::vector<int>> groupsOnNode(const FloorIndex& floor, int node);
/// Around cells of a group on one node: one box where they fill it, else one a cell.
std::vector<QRect> outlineBoxes(const FloorScene& scene, const std::vector<int>& cells);
/// Box around cells of one node, with room for the outline.
QRect outlineBox(const FloorScene& scene, const std::vector<int>& cells);

/// Links between neighbours along pipeline and data axis; those that would run across other cells
/// are drawn on small floors only.
void paintLinks(QPainter& painter, const FloorScene& scene);
struct FloorLink
{
    Axis axis;
    QRectF from, to;            ///< what it joins
    std::optional<QLineF> line; ///< straight; else it curves around what lies between
};
/// Those that paintLinks() paints.
std::vector<FloorLink> floorLinks(const FloorScene& scene);
double linkWidth(const FloorScene& scene);
/// One link between two boxes: straight across the gap where they face each other, else a curve.
void paintLink(QPainter& painter, const QRectF& from, const QRectF& to, const QColor& colour,
               double width);
/// The curve of a link between two boxes that do not face each other.
QPainterPath linkCurve(const QRectF& from, const QRectF& to);
/// The straight way between two boxes that face each other, nothing where there is none.
std::optional<QLineF> facingLine(const QRectF& from, const QRectF& to);

/// Everything else dimmed, the three groups of a device lit with their links.
void paintLit(QPainter& painter, const FloorScene& scene, int device);

} // namespace triaxis::ui
