#include "ui/plan/floor_scene.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis::ui
{
namespace
{

/// Cells that fill their box side by side get one outline; others one a cell.
bool fillsBox(const FloorScene& scene, const std::vector<int>& cells)
{
    QRectF box;
    for (const int device : cells)
        box |= scene.geometry.cell(device);
    const QSizeF cell = scene.geometry.cellSize();
    const double gap = scene.geometry.cellGap();
    const double across = (box.width() + gap) / (cell.width() + gap);
    const double down = (box.height() + gap) / (cell.height() + gap);
    return std::lround(across) * std::lround(down) == std::int64_t(cells.size());
}

void paintOutline(QPainter& painter, const FloorScene& scene, const std::vector<int>& cells)
{
    const std::vector<QRect> boxes = outlineBoxes(scene, cells);
    const bool broken = int(cells.size()) < scene.floor.layout().tp || boxes.size() > 1;
    for (const QRect& box : boxes)
        painter.drawPixmap(box.topLeft(), scene.sprites.outline({box.size(), broken}));
}

void paintMark(QPainter& painter, const FloorScene& scene, const QRect& cell, Severity severity)
{
    const int pixels = std::clamp(cell.width() / 3, 8, scaled(15));
    painter.drawPixmap(cell.right() - pixels + 4, cell.top() - 3,
                       scene.sprites.mark(severity, pixels));
}

void paintLabel(QPainter& painter, const FloorScene& scene, const QRect& cell, int device,
                const Coordinates& at)
{
    if (!scene.labelFont())
        return;
    const QColor ink = labelOn(cellColour(scene.theme, scene.floor.colourOf(at.pipeline)));
    const FloorGlyphs& glyphs = scene.sprites.glyphs(*scene.labelFont(), ink);
    const int line = glyphs.height();
    QRect room = cell;
    if (scene.floor.fillOf(device).has_value())
        room.setHeight(int(FloorSprites::bar(cell.size()).top()));
    const bool tells = room.height() >= 2 * line + 4 && cell.width() >= 62 * scene.textScale();
    QStringList more;
    if (tells)
        more << Words::tr("rank %1").arg(scene.floor.rankAt(device)->value);
    if (tells && room.height() >= 3 * line + 6 && cell.width() >= 90 * scene.textScale()) {
        if (const auto memory = scene.floor.memoryOf(device)) {
            QString amount = spoken(units::bytes(*memory));
            if (const auto capacity = scene.floor.capacityOf(device))
                amount += Words::tr(" of ") + spoken(units::bytes(*capacity));
            more << amount;
        }
    }
    int top = room.top() + (room.height() - int(1 + more.size()) * line) / 2 + 1;
    glyphs.draw(painter, QRect(room.left(), top, room.width(), line), at);
    if (more.isEmpty())
        return;
    painter.setPen(ink);
    painter.setFont(scene.tinyFont());
    for (const QString& word : more) {
        top += line;
        if (painter.fontMetrics().horizontalAdvance(word) <= room.width() - 6)
            painter.drawText(QRect(room.left(), top, room.width(), line), Qt::AlignCenter, word);
    }
}

} // namespace

QString labelOf(const Coordinates& at)
{
    return QStringLiteral("%1·%2·%3").arg(at.data).arg(at.tensor).arg(at.pipeline);
}

std::map<std::pair<int, int>, std::vector<int>> groupsOnNode(const FloorIndex& floor, int node)
{
    std::map<std::pair<int, int>, std::vector<int>> groups;
    for (int device = floor.firstDevice(node); device < floor.firstDevice(node + 1); ++device) {
        if (const auto at = floor.coordinatesAt(device))
            groups[{at->data, at->pipeline}].push_back(device);
    }
    return groups;
}

std::vector<QRect> outlineBoxes(const FloorScene& scene, const std::vector<int>& cells)
{
    if (fillsBox(scene, cells))
        return {outlineBox(scene, cells)};
    std::vector<QRect> boxes;
    for (const int device : cells)
        boxes.push_back(outlineBox(scene, {device}));
    return boxes;
}

QRect outlineBox(const FloorScene& scene, const std::vector<int>& cells)
{
    QRect box;
    for (const int device : cells)
        box |= scene.cell(device);
    const int margin = std::max(2, int(scene.geometry.cellGap() * scene.zoom * 0.45));
    return box.adjusted(-margin, -margin, margin, margin);
}

void paintOutlines(QPainter& painter, const FloorScene& scene, const std::vector<int>& group)
{
    std::map<int, std::vector<int>> byNode;
    for (const int device : group)
        byNode[scene.geometry.slotOf(scene.floor.nodeOf(device)).node].push_back(device);
    for (const auto& [node, cells] : byNode)
        paintOutline(painter, scene, cells);
}

void paintCell(QPainter& painter, const FloorScene& scene, int device)
{
    const QRect cell = scene.cell(device);
    const CellLook look = scene.lookOf(device);
    painter.drawPixmap(cell.topLeft(), scene.sprites.cell(look));
    const FloorDetail detail = scene.detail();
    if (detail == FloorDetail::Labels) {
        const auto at = scene.floor.coordinatesAt(device);
        if (at && look.kind == CellLook::Kind::Rank)
            paintLabel(painter, scene, cell, device, *at);
        if (at && look.kind == CellLook::Kind::Ghost) {
            painter.setPen(scene.theme.danger);
            painter.setFont(scene.tinyFont());
            painter.drawText(cell, Qt::AlignCenter, labelOf(*at));
        }
    }
    auto worst = scene.floor.worstNoticeOf(device);
    if (scene.floor.isOverCapacity(device))
        worst = Severity::Error;
    if (worst && detail >= FloorDetail::Cells)
        paintMark(painter, scene, cell, *worst);
}

void paintCells(QPainter& painter, const FloorScene& scene, const FloorGeometry::Slot& slot)
{
    if (scene.floor.layout().tp > 1)
        for (const auto& [at, cells] : groupsOnNode(scene.floor, slot.node))
            paintOutline(painter, scene, cells);
    const int first = scene.floor.firstDevice(slot.node);
    const int last = scene.floor.firstDevice(slot.node + 1);
    const QRect viewport(QPoint(), scene.viewport);
    for (int device = first; device < last; ++device) {
        if (scene.cell(device).intersects(viewport))
            paintCell(painter, scene, device);
    }
}

} // namespace triaxis::ui
