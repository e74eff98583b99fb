#pragma once

#include "ui/plan/floor_geometry.h"
#include "ui/plan/floor_sprites.h"

#include <QLineF>
#include <QRect>

class QPainter;

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
struct FloorScene
{
    const FloorIndex& floor;
    const FloorGeometry& geometry;
    const Theme& theme;
    FloorSprites& sprites;
    double zoom = 1;
    QPointF origin; ///< where the floor's corner lies in the viewport
    QSize viewport;

    QRectF visible() const; ///< of the floor
    QPointF toScreen(const QPointF& point) const { return point * zoom + origin; }
    QRect toScreen(const QRectF& box) const;
    QSize cellPixels() const;
    QRect cell(int device) const; ///< all of one size
    FloorDetail detail() const;
    CellLook lookOf(int device) const;
};

FloorDetail detailOf(const QSize& cell, double textScale);

/// Frames, cells, outlines, links and marks of everything that is visible.
void paintFloor(QPainter& painter, const FloorScene& scene);
/// One cell with its label and mark.
void paintCell(QPainter& painter, const FloorScene& scene, int device);
/// Outline of the part of a tensor group that lies on each node.
void paintOutlines(QPainter& painter, const FloorScene& scene, const std::vector<int>& group);
/// Box around cells of one node, with room for the outline.
QRect outlineBox(const FloorScene& scene, const std::vector<int>& cells);

/// Links between neighbours along pipeline and data axis; those that would run across other cells
/// are drawn on small floors only.
void paintLinks(QPainter& painter, const FloorScene& scene);
/// One link between two boxes: straight across the gap where they face each other, else a curve.
void paintLink(QPainter& painter, const QRectF& from, const QRectF& to, const QColor& colour,
               double width);
/// The straight way between two boxes that face each other, nothing where there is none.
std::optional<QLineF> facingLine(const QRectF& from, const QRectF& to);

/// Everything else dimmed, the three groups of a device lit with their links.
void paintLit(QPainter& painter, const FloorScene& scene, int device);

} // namespace triaxis::ui
