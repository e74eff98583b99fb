#include "ui/plan/floor_scene.h"

#include "engine/core/units.h"
#include "ui/base/language.h"
#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <map>

namespace triaxis::ui
{
namespace
{

constexpr int labelledCell = 26; ///< pixels at a text size of 100 %
constexpr int plainCell = 15;
constexpr int mosaicCell = 5;

QString label(const Coordinates& at)
{
    return QStringLiteral("%1·%2·%3").arg(at.data).arg(at.tensor).arg(at.pipeline);
}

/// The largest of the small fonts in which every label of the layout fits, so that all have one
/// size.
std::optional<QFont> fittingFont(const Layout& layout, int width)
{
    const QString widest = label({layout.dp - 1, layout.tp - 1, layout.pp - 1});
    QFont smallest = fontOf(FontRole::Tiny);
    smallest.setPixelSize(std::max(8, smallest.pixelSize() - 1));
    for (const QFont& font : {fontOf(FontRole::SmallBold), fontOf(FontRole::Tiny), smallest}) {
        if (FloorGlyphs::widthOf(font, int(widest.size())) <= width - 3)
            return font;
    }
    return std::nullopt;
}

/// Of mixed nodes also what they hold.
QString nodeText(const FloorIndex& floor, int node)
{
    const std::vector<QString>& devices = floor.model().deviceTitles;
    const auto first = std::size_t(floor.firstDevice(node));
    const QString title = floor.nodeTitle(node);
    return first < devices.size() && !floor.isGhostNode(node)
               ? title + QStringLiteral(" · ") + devices[first]
               : title;
}

QString nodeSummary(const FloorIndex& floor, int node)
{
    const auto first = floor.coordinatesAt(floor.firstDevice(node));
    bool oneStage = first.has_value();
    bool oneReplica = oneStage;
    int used = 0;
    for (int device = floor.firstDevice(node); device < floor.firstDevice(node + 1); ++device) {
        const auto at = floor.coordinatesAt(device);
        used += at.has_value();
        oneStage = oneStage && at && at->pipeline == first->pipeline;
        oneReplica = oneReplica && at && at->data == first->data;
    }
    if (used == 0)
        return Words::tr("unused");
    QStringList parts;
    if (oneStage)
        parts << Words::tr("stage %1").arg(first->pipeline);
    if (oneReplica)
        parts << Words::tr("replica %1").arg(first->data);
    if (parts.isEmpty())
        return Words::tr("%1 of %2 used").arg(used).arg(floor.devicesOf(node));
    return parts.join(QStringLiteral(" · "));
}

void paintTitle(QPainter& painter, const FloorScene& scene, const QRect& line, const QString& left,
                const QString& right)
{
    const bool isSmall = line.height() >= 17 * scene.textScale();
    if (line.height() <= (isSmall ? scene.smallAscent() : scene.tinyAscent()))
        return;
    const QFont& font = isSmall ? scene.smallFont() : scene.tinyFont();
    painter.setFont(font);
    painter.setPen(scene.theme.muted);
    const QFontMetrics metrics(font);
    const QRect room = line.adjusted(8, 0, -8, 0);
    const QString shown = metrics.elidedText(left, Qt::ElideRight, room.width());
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
    if (!right.isEmpty() &&
        metrics.horizontalAdvance(left) + metrics.horizontalAdvance(right) + 12 < room.width())
        painter.drawText(room, Qt::AlignRight | Qt::AlignVCenter, right);
}

/// A bar of the stages of some nodes by their share.
void paintShares(QPainter& painter, const FloorScene& scene, const QRect& box, int first, int last)
{
    const std::vector<int> shares = scene.floor.stageShares(first, last);
    int all = 0;
    for (const int share : shares)
        all += share;
    int done = 0;
    for (std::size_t stage = 0; stage < shares.size(); ++stage) {
        if (shares[stage] == 0)
            continue;
        const int left = box.left() + int(std::int64_t(box.width()) * done / all);
        done += shares[stage];
        const int right = box.left() + int(std::int64_t(box.width()) * done / all);
        const bool unused = stage + 1 == shares.size();
        const QColor fill =
            unused ? scene.theme.track : cellColour(scene.theme, scene.floor.colourOf(int(stage)));
        const QRect part(left, box.top(), std::max(1, right - left), box.height());
        painter.fillRect(part, fill);
        const QString text = unused ? Words::tr("unused") : QString::number(stage);
        const QFont& font = scene.tinyFont();
        const QFontMetrics metrics(font);
        if (metrics.horizontalAdvance(text) + 6 <= part.width() &&
            metrics.height() <= part.height()) {
            painter.setFont(font);
            painter.setPen(labelOn(fill));
            painter.drawText(part, Qt::AlignCenter, text);
        }
    }
}

/// The parts of tensor groups that lie on one node, by (data, pipeline).
std::map<std::pair<int, int>, std::vector<int>> groupsOnNode(const FloorIndex& floor, int node)
{
    std::map<std::pair<int, int>, std::vector<int>> groups;
    for (int device = floor.firstDevice(node); device < floor.firstDevice(node + 1); ++device) {
        if (const auto at = floor.coordinatesAt(device))
            groups[{at->data, at->pipeline}].push_back(device);
    }
    return groups;
}

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
    const bool broken = int(cells.size()) < scene.floor.layout().tp;
    const auto draw = [&](const std::vector<int>& part) {
        const QRect box = outlineBox(scene, part);
        painter.drawPixmap(box.topLeft(), scene.sprites.outline(
                                              {box.size(), broken || part.size() < cells.size()}));
    };
    if (fillsBox(scene, cells)) {
        draw(cells);
        return;
    }
    for (const int device : cells)
        draw({device});
}

void paintNode(QPainter& painter, const FloorScene& scene, const FloorGeometry::Slot& slot,
               FloorDetail detail)
{
    const QRect frame = scene.toScreen(slot.frame);
    const bool ghost = scene.floor.isGhostNode(slot.node);
    if (detail == FloorDetail::Shares) {
        paintShares(painter, scene, frame, slot.node, slot.node);
        return;
    }
    painter.drawPixmap(frame.topLeft(), scene.sprites.frame(frame.size(), ghost, slot.more > 0));
    const QRect title(frame.left(), frame.top(), frame.width(),
                      int(scene.geometry.titleHeight() * scene.zoom));
    if (title.height() > scene.tinyAscent()) {
        const bool hasRoom = title.height() >= 17 * scene.textScale();
        paintTitle(painter, scene, title, nodeText(scene.floor, slot.node),
                   hasRoom ? nodeSummary(scene.floor, slot.node) : QString());
    }
}

/// "× 255 more like this", on the lower edge of a node that stands for others.
void paintFoldSign(QPainter& painter, const FloorScene& scene, const FloorGeometry::Slot& slot)
{
    const QRect frame = scene.toScreen(slot.frame);
    const QFont& font = scene.tinyFont();
    const QFontMetrics metrics(font);
    const QString count = QStringLiteral("× %1").arg(wholeNumber(slot.more));
    const QString whole = count + Words::tr(" more like this");
    const bool fits = metrics.horizontalAdvance(whole) + 16 <= frame.width();
    const QString& text = fits ? whole : count;
    if (metrics.horizontalAdvance(text) + 10 > frame.width())
        return;
    QRect sign(QPoint(), QSize(metrics.horizontalAdvance(text) + 14, metrics.height() + 2));
    const QRect line = scene.toScreen(scene.geometry.foldLine(slot));
    sign.moveCenter(line.center());
    if (line.height() < sign.height())
        sign.moveBottom(frame.bottom() + sign.height() / 2 - 1);
    painter.drawPixmap(sign.topLeft(), scene.sprites.pill(text, sign.size(), font));
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

void paintRacks(QPainter& painter, const FloorScene& scene, FloorDetail detail)
{
    for (const FloorGeometry::Rack& rack : scene.geometry.racks()) {
        if (!rack.frame.intersects(scene.visible()))
            continue;
        const QRect frame = scene.toScreen(rack.frame);
        if (detail == FloorDetail::Shares) {
            painter.fillRect(frame, scene.theme.line);
            painter.fillRect(frame.adjusted(1, 1, -1, -1), scene.theme.window);
        } else if (detail != FloorDetail::Mosaic) {
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(scene.theme.line, 1));
            painter.setBrush(scene.theme.window);
            painter.drawRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
            painter.setRenderHint(QPainter::Antialiasing, false);
        }
        const QString title = Words::tr("rack %1").arg(rack.index);
        const int line = int(scene.geometry.rackTitleHeight() * scene.zoom);
        if (detail != FloorDetail::Shares) {
            paintTitle(painter, scene, QRect(frame.left(), frame.top(), frame.width(), line), title,
                       {});
            continue;
        }
        const QFontMetrics metrics(scene.tinyFont());
        const int text = metrics.height();
        QRect bar = frame.adjusted(3, 3, -3, -3);
        if (bar.height() >= 2 * text && metrics.horizontalAdvance(title) <= bar.width() - 4) {
            paintTitle(painter, scene, QRect(bar.left() - 5, bar.top(), bar.width() + 10, text),
                       title, {});
            bar.setTop(bar.top() + text + 1);
        }
        paintShares(painter, scene, bar, rack.firstNode, rack.lastNode);
    }
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

FloorScene::FloorScene(const FloorIndex& index, const FloorGeometry& places, const Theme& colours,
                       FloorSprites& drawn, double scale, const QPointF& corner,
                       const QSize& window)
    : floor(index), geometry(places), theme(colours), sprites(drawn), zoom(scale), origin(corner),
      viewport(window), m_textScale(fontScale()), m_small(fontOf(FontRole::Small)),
      m_tiny(fontOf(FontRole::Tiny)), m_smallAscent(QFontMetrics(m_small).ascent()),
      m_tinyAscent(QFontMetrics(m_tiny).ascent())
{
    const QSizeF cell = geometry.cellSize() * zoom;
    m_cell = {std::max(1, int(cell.width())), std::max(1, int(cell.height()))};
    m_detail = detailOf(m_cell, m_textScale);
    if (m_detail == FloorDetail::Labels)
        m_labelFont = fittingFont(floor.layout(), m_cell.width());
}

QRectF FloorScene::visible() const
{
    return {-origin / zoom, QSizeF(viewport) / zoom};
}

QRect FloorScene::toScreen(const QRectF& box) const
{
    const QPointF corner = toScreen(box.topLeft());
    return {QPoint(int(std::lround(corner.x())), int(std::lround(corner.y()))),
            QSize(int(std::lround(box.width() * zoom)), int(std::lround(box.height() * zoom)))};
}

QRect FloorScene::cell(int device) const
{
    const QPointF corner = toScreen(geometry.cell(device).topLeft());
    return {QPoint(int(std::lround(corner.x())), int(std::lround(corner.y()))), cellPixels()};
}

FloorDetail detailOf(const QSize& cell, double textScale)
{
    if (cell.width() >= labelledCell * textScale)
        return FloorDetail::Labels;
    if (cell.width() >= plainCell)
        return FloorDetail::Cells;
    return cell.width() >= mosaicCell ? FloorDetail::Mosaic : FloorDetail::Shares;
}

CellLook FloorScene::lookOf(int device) const
{
    CellLook look;
    const auto at = floor.coordinatesAt(device);
    if (floor.isGhost(device))
        look.kind = CellLook::Kind::Ghost;
    else if (at)
        look.kind = CellLook::Kind::Rank;
    if (at)
        look.colour = floor.colourOf(at->pipeline);
    look.fill = floor.fillOf(device);
    look.hasBar = look.kind == CellLook::Kind::Rank && cellPixels().height() >= 14;
    return look;
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
            painter.drawText(cell, Qt::AlignCenter, label(*at));
        }
    }
    auto worst = scene.floor.worstNoticeOf(device);
    if (scene.floor.isOverCapacity(device))
        worst = Severity::Error;
    if (worst && detail >= FloorDetail::Cells)
        paintMark(painter, scene, cell, *worst);
}

void paintFloor(QPainter& painter, const FloorScene& scene)
{
    const FloorDetail detail = scene.detail();
    scene.sprites.prepare(scene.theme, scene.cellPixels(), painter.device()->devicePixelRatioF());
    if (detail == FloorDetail::Mosaic)
        paintMosaic(painter, scene);
    paintRacks(painter, scene, detail);
    if (detail == FloorDetail::Shares && !scene.geometry.racks().empty())
        return;
    const std::vector<int> visible = scene.geometry.slotsIn(scene.visible());
    const auto& all = scene.geometry.slotsDrawn();
    if (detail != FloorDetail::Mosaic)
        for (const int slot : visible)
            paintNode(painter, scene, all[std::size_t(slot)], detail);
    if (detail >= FloorDetail::Cells) {
        paintLinks(painter, scene);
        for (const int slot : visible)
            paintCells(painter, scene, all[std::size_t(slot)]);
    }
    for (const int slot : visible)
        if (all[std::size_t(slot)].more > 0)
            paintFoldSign(painter, scene, all[std::size_t(slot)]);
}

} // namespace triaxis::ui
