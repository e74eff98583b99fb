#include "ui/plan/floor_picture.h"

#include "engine/timeline/lane_label.h"
#include "engine/timeline/lane_painter.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/plan/floor_scene.h"
#include "ui/theme/fonts.h"

#include <QPainterPath>

#include <algorithm>

namespace triaxis::ui
{
namespace
{

constexpr double cellOpacity = 0.5;
constexpr double smallSize = 11; ///< pixels at a text size of 100 %
constexpr double tinySize = 9.5;

class FloorDrawing
{
public:
    explicit FloorDrawing(const FloorScene& scene) : m_scene(scene), m_floor(scene.floor) {}

    DisplayList draw()
    {
        m_list.width = m_scene.viewport.width();
        m_list.height = m_scene.viewport.height();
        const FloorDetail detail = m_scene.detail();
        for (const FloorGeometry::Rack& rack : m_scene.geometry.racks())
            if (rack.frame.intersects(m_scene.visible()))
                addRack(rack, detail);
        if (detail == FloorDetail::Shares && !m_scene.geometry.racks().empty())
            return std::move(m_list);
        const std::vector<int> visible = m_scene.geometry.slotsIn(m_scene.visible());
        const auto& all = m_scene.geometry.slotsDrawn();
        for (const int slot : visible)
            addNode(all[std::size_t(slot)], detail);
        if (detail >= FloorDetail::Cells)
            addLinks();
        if (detail >= FloorDetail::Mosaic)
            for (const int slot : visible)
                addCells(all[std::size_t(slot)], detail);
        for (const int slot : visible)
            if (all[std::size_t(slot)].more > 0)
                addFoldSign(all[std::size_t(slot)]);
        return std::move(m_list);
    }

private:
    void fill(const QRectF& box, Ink ink, double radius = 0, double opacity = 1)
    {
        m_list.items.emplace_back(FillRect{box.left(), box.top(), box.width(), box.height(), ink,
                                           radius, false, opacity});
    }
    void frame(const QRectF& box, double radius)
    {
        fill(box, Ink::Line, radius);
        fill(box.adjusted(1, 1, -1, -1), Ink::Background, std::max(0.0, radius - 1));
    }
    /// Where it fits into `room`.
    void text(double x, double y, const QString& words, double size, Align align, double room,
              Ink ink = Ink::MutedText)
    {
        const std::string told = words.toStdString();
        if (textWidth(told, size) <= room)
            m_list.items.emplace_back(DrawText{x, y, told, ink, size, align});
    }
    Ink inkOfStage(int stage) const { return memberInk(m_floor.colourOf(stage)); }

    void addShares(const QRectF& box, int firstNode, int lastNode)
    {
        const std::vector<int> shares = m_floor.stageShares(firstNode, lastNode);
        int all = 0;
        for (const int share : shares)
            all += share;
        double left = box.left();
        for (std::size_t stage = 0; stage < shares.size(); ++stage) {
            const double width = box.width() * shares[stage] / std::max(1, all);
            const bool unused = stage + 1 == shares.size();
            if (width > 0)
                fill({left, box.top(), width, box.height()},
                     unused ? Ink::Idle : inkOfStage(int(stage)), 0, unused ? 1 : cellOpacity);
            left += width;
        }
    }

    void addRack(const FloorGeometry::Rack& rack, FloorDetail detail)
    {
        const QRectF box = m_scene.toScreen(rack.frame);
        frame(box, detail >= FloorDetail::Cells ? 6 : 0);
        const double line = detail == FloorDetail::Shares
                                ? tinySize * m_scene.textScale() + 3
                                : m_scene.geometry.rackTitleHeight() * m_scene.zoom;
        const double size = tinySize * m_scene.textScale();
        const bool titled = line > size && box.height() >= 2 * line;
        if (titled)
            text(box.left() + 6, box.top() + line / 2 + 1, Words::tr("rack %1").arg(rack.index),
                 size, Align::Left, box.width() - 10);
        if (detail == FloorDetail::Shares)
            addShares(box.adjusted(3, titled ? line + 2 : 3, -3, -3), rack.firstNode,
                      rack.lastNode);
    }

    void addNode(const FloorGeometry::Slot& slot, FloorDetail detail)
    {
        const QRectF box = m_scene.toScreen(slot.frame);
        if (detail == FloorDetail::Shares) {
            addShares(box, slot.node, slot.node);
            return;
        }
        frame(box, detail >= FloorDetail::Cells ? 6 : 0);
        const double line = m_scene.geometry.titleHeight() * m_scene.zoom;
        const double size = std::min(smallSize * m_scene.textScale(), line - 3);
        if (detail >= FloorDetail::Cells && size >= 7)
            text(box.left() + 8, box.top() + line / 2, m_floor.nodeTitle(slot.node), size,
                 Align::Left, box.width() - 16);
    }

    void addLinks()
    {
        const double width = linkWidth(m_scene);
        for (const FloorLink& link : floorLinks(m_scene)) {
            const Ink ink = link.axis == Axis::Data ? Ink::Data : Ink::Pipeline;
            if (link.line) {
                m_list.items.emplace_back(StrokeLine{link.line->x1(), link.line->y1(),
                                                     link.line->x2(), link.line->y2(), ink, width});
                continue;
            }
            constexpr int pieces = 24;
            const QPainterPath path = linkCurve(link.from, link.to);
            Polyline curve{{}, ink, std::max(1.0, width - 1)};
            for (int i = 0; i <= pieces; ++i) {
                const QPointF at = path.pointAtPercent(double(i) / pieces);
                curve.points.emplace_back(at.x(), at.y());
            }
            m_list.items.emplace_back(std::move(curve));
        }
    }

    void addOutlines(int node)
    {
        for (const auto& [at, cells] : groupsOnNode(m_floor, node))
            for (const QRect& box : outlineBoxes(m_scene, cells)) {
                const double left = box.left() + 0.5, right = box.right() + 0.5;
                const double top = box.top() + 0.5, bottom = box.bottom() + 0.5;
                m_list.items.emplace_back(Polyline{
                    {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}},
                    Ink::Tensor,
                    1,
                    true});
            }
    }

    void addCells(const FloorGeometry::Slot& slot, FloorDetail detail)
    {
        if (detail >= FloorDetail::Cells && m_floor.layout().tp > 1)
            addOutlines(slot.node);
        const QRect viewport(QPoint(), m_scene.viewport);
        const int last = m_floor.firstDevice(slot.node + 1);
        for (int device = m_floor.firstDevice(slot.node); device < last; ++device)
            if (m_scene.cell(device).intersects(viewport))
                addCell(device, detail);
    }

    void addCell(int device, FloorDetail detail)
    {
        const QRectF cell = m_scene.cell(device);
        const CellLook look = m_scene.lookOf(device);
        const double radius =
            detail == FloorDetail::Mosaic ? 0 : std::clamp(cell.width() / 9, 1.0, 8.0);
        const auto at = m_floor.coordinatesAt(device);
        if (look.kind != CellLook::Kind::Rank || !at) {
            // What the layout lacks is hatched, what it does not use is empty.
            m_list.items.emplace_back(
                FillRect{cell.left(), cell.top(), cell.width(), cell.height(),
                         look.kind == CellLook::Kind::Ghost ? Ink::Wait : Ink::Idle,
                         look.kind == CellLook::Kind::Ghost ? 0 : radius,
                         look.kind == CellLook::Kind::Ghost});
            return;
        }
        const Ink ink = inkOfStage(at->pipeline);
        fill(cell, ink, radius, cellOpacity);
        double room = cell.height();
        if (look.hasBar && look.fill) {
            const QRectF bar = FloorSprites::bar(cell.size()).translated(cell.left(), cell.top());
            room = bar.top() - cell.top();
            fill(bar, Ink::Background, bar.height() / 2);
            fill({bar.left(), bar.top(),
                  std::max(bar.height(), bar.width() * std::min(*look.fill, 1.0)), bar.height()},
                 *look.fill > 1 ? Ink::Data : Ink::Text, bar.height() / 2);
        }
        if (detail != FloorDetail::Labels || !m_scene.labelFont())
            return;
        const double size = m_scene.labelFont()->pixelSize();
        const bool tells = room >= 2 * (size + 3) + 4 && cell.width() >= 62 * m_scene.textScale();
        const double middle = cell.top() + room / 2;
        const auto write = [&](double y, const QString& words, double high, bool bold) {
            m_list.items.emplace_back(DrawText{cell.center().x(), y, words.toStdString(), ink, high,
                                               Align::Centre, bold, true, cellOpacity});
        };
        write(tells ? middle - size / 2 - 1 : middle, labelOf(*at), size, true);
        if (tells)
            write(middle + size / 2 + 2, Words::tr("rank %1").arg(m_floor.rankAt(device)->value),
                  tinySize * m_scene.textScale(), false);
    }

    void addFoldSign(const FloorGeometry::Slot& slot)
    {
        const QRectF box = m_scene.toScreen(slot.frame);
        const QRectF line = m_scene.toScreen(m_scene.geometry.foldLine(slot));
        const double size = tinySize * m_scene.textScale();
        const double y = line.height() < size ? box.bottom() : line.center().y();
        const QString count = QStringLiteral("× %1").arg(wholeNumber(slot.more));
        const QString whole = count + Words::tr(" more like this");
        const bool fits = textWidth(whole.toStdString(), size) + 16 <= box.width();
        const std::string told = (fits ? whole : count).toStdString();
        const double half = textWidth(told, size) / 2 + 6;
        fill({box.center().x() - half, y - size / 2 - 2, 2 * half, size + 4}, Ink::Background,
             size / 2);
        m_list.items.emplace_back(
            DrawText{box.center().x(), y, told, Ink::Accent, size, Align::Centre});
    }

    const FloorScene& m_scene;
    const FloorIndex& m_floor;
    DisplayList m_list;
};

} // namespace

DisplayList floorPicture(const FloorScene& scene)
{
    return FloorDrawing(scene).draw();
}

} // namespace triaxis::ui
