#include "ui/plan/floor_scene.h"

#include "ui/base/text.h"
#include "ui/base/words.h"
#include "ui/theme/fonts.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int labelledCell = 26; ///< pixels at a text size of 100 %
constexpr int plainCell = 15;
constexpr int mosaicCell = 5;

/// The largest of the small fonts in which every label of the layout fits, so that all have one
/// size.
std::optional<QFont> fittingFont(const Layout& layout, int width)
{
    const QString widest = labelOf({layout.dp - 1, layout.tp - 1, layout.pp - 1});
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
