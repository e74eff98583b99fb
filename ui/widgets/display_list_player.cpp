#include "ui/widgets/display_list_player.h"

#include "ui/theme/theme.h"
#include "ui/widgets/box_filler.h"
#include "ui/base/language.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr std::size_t mostLabels = 8192;
constexpr double hatchTile = 6;

QColor inkColour(Ink ink, const Palette& palette)
{
    return QColor::fromRgb(palette.of(ink));
}

/// Size in pixels and weight in one number.
int fontKey(const DrawText& item)
{
    return std::max(1, int(std::lround(item.size))) * 2 + (item.bold ? 1 : 0);
}

/// Generous: no label is wider than an em a byte.
bool isWithin(const DrawText& item, const QRectF& visible)
{
    const double reach = item.size * double(item.text.size() + 1);
    return item.x + reach >= visible.left() && item.x - reach <= visible.right() &&
           item.y + item.size >= visible.top() && item.y - item.size <= visible.bottom();
}

bool isWithin(const FillRect& item, const QRectF& visible)
{
    return item.x + item.width >= visible.left() && item.x <= visible.right() &&
           item.y + item.height >= visible.top() && item.y <= visible.bottom();
}

void stroke(QPainter& painter, const StrokeLine& item, const Palette& palette)
{
    QPen pen(inkColour(item.ink, palette), item.thickness);
    if (item.dashed)
        pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(item.x1, item.y1), QPointF(item.x2, item.y2));
}

/// A box will do: a whole line along an axis.
bool isStraight(const StrokeLine& item)
{
    return !item.dashed && item.thickness > 0 && (item.x1 == item.x2 || item.y1 == item.y2);
}

/// The line with its square ends, as pens draw them.
QRectF boxOf(const StrokeLine& item)
{
    const double half = item.thickness / 2;
    return QRectF(QPointF(std::min(item.x1, item.x2), std::min(item.y1, item.y2)),
                  QPointF(std::max(item.x1, item.x2), std::max(item.y1, item.y2)))
        .adjusted(-half, -half, half, half);
}

void trace(QPainter& painter, const Polyline& item, const Palette& palette)
{
    QPolygonF polygon;
    polygon.reserve(qsizetype(item.points.size()));
    for (const auto& [x, y] : item.points)
        polygon << QPointF(x, y);
    QPen pen(inkColour(item.ink, palette), item.thickness, Qt::SolidLine, Qt::RoundCap,
             Qt::RoundJoin);
    if (item.dashed)
        pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(polygon);
}

} // namespace

void DisplayListPlayer::play(QPainter& painter, const DisplayList& list, const Palette& palette,
                             const QRectF& visible)
{
    const QString family = QGuiApplication::font().toString();
    if (family != m_family || m_labels.size() > mostLabels) {
        m_labels.clear();
        m_fonts.clear();
        m_family = family;
    }
    std::optional<BoxFiller> filler = BoxFiller::on(painter);
    const bool all = visible.isNull();
    Pen pen;
    for (const DisplayItem& item : list.items) {
        if (const auto* rectangle = std::get_if<FillRect>(&item)) {
            if (all || isWithin(*rectangle, visible))
                fill(painter, pen, filler ? &*filler : nullptr, *rectangle, palette);
        } else if (const auto* text = std::get_if<DrawText>(&item)) {
            if (all || isWithin(*text, visible))
                write(painter, pen, *text, palette);
        } else if (const auto* line = std::get_if<StrokeLine>(&item)) {
            if (filler && isStraight(*line)) {
                filler->fill(boxOf(*line), palette.of(line->ink));
                continue;
            }
            pen.colour.reset();
            stroke(painter, *line, palette);
        } else if (const auto* points = std::get_if<Polyline>(&item)) {
            pen.colour.reset();
            trace(painter, *points, palette);
        }
    }
}

void DisplayListPlayer::fill(QPainter& painter, Pen& pen, BoxFiller* filler, const FillRect& item,
                             const Palette& palette)
{
    const QRectF box(item.x, item.y, item.width, item.height);
    const std::uint32_t colour = item.opacity >= 1 ? palette.of(item.ink) : colourOf(item, palette);
    if (item.hatched) {
        const Hatch& tile = hatch(inkColour(Ink::Idle, palette), QColor::fromRgb(colour),
                                  filler ? filler->scale() : painter.device()->devicePixelRatioF());
        if (filler)
            filler->fillTiled(box, tile.image);
        else
            painter.drawTiledPixmap(box, tile.pixmap);
        return;
    }
    if (filler) {
        filler->fill(box, colour, item.radius);
        return;
    }
    if (item.radius <= 0) {
        painter.fillRect(box, QColor::fromRgb(colour));
        return;
    }
    pen.colour.reset();
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor::fromRgb(colour));
    painter.drawRoundedRect(box, item.radius, item.radius);
}

const DisplayListPlayer::Hatch& DisplayListPlayer::hatch(const QColor& background,
                                                         const QColor& stripe, double ratio)
{
    const quint64 key =
        (quint64(background.rgb() & 0xFFFFFF) << 24 | (stripe.rgb() & 0xFFFFFF)) * 31 +
        quint64(ratio * 16);
    const auto found = m_hatches.constFind(key);
    if (found != m_hatches.constEnd())
        return *found;
    const int pixels = std::max(2, int(std::lround(hatchTile * ratio)));
    QImage tile(pixels, pixels, QImage::Format_RGB32);
    tile.fill(background);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(stripe, 1.2 * ratio));
    for (const int shift : {-1, 0, 1})
        painter.drawLine(QPointF(shift * pixels, pixels), QPointF((shift + 1) * pixels, 0));
    painter.end();
    Hatch made{QPixmap::fromImage(tile), tile};
    made.pixmap.setDevicePixelRatio(ratio);
    return *m_hatches.insert(key, made);
}

const QFont& DisplayListPlayer::fontFor(int key)
{
    auto found = m_fonts.find(key);
    if (found == m_fonts.end()) {
        QFont font = QGuiApplication::font();
        font.setPixelSize(key / 2);
        font.setWeight(key % 2 ? QFont::DemiBold : QFont::Normal);
        found = m_fonts.emplace(key, font).first;
    }
    return found->second;
}

const DisplayListPlayer::Label& DisplayListPlayer::label(const DrawText& item, int font)
{
    std::string key = item.text;
    key += '\n';
    key += std::to_string(font);
    auto found = m_labels.find(key);
    if (found == m_labels.end()) {
        const QString text = spoken(item.text);
        Label made{QStaticText(text), {}};
        made.text.setTextFormat(Qt::PlainText);
        made.text.setPerformanceHint(QStaticText::AggressiveCaching);
        made.text.prepare({}, fontFor(font));
        const QFontMetricsF metrics(fontFor(font));
        made.size = {metrics.horizontalAdvance(text), metrics.height()};
        found = m_labels.emplace(std::move(key), std::move(made)).first;
    }
    return found->second;
}

void DisplayListPlayer::write(QPainter& painter, Pen& pen, const DrawText& item,
                              const Palette& palette)
{
    const int font = fontKey(item);
    const Label& made = label(item, font);
    double x = item.x;
    switch (item.align) {
    case Align::Left:
        break;
    case Align::Centre:
        x -= made.size.width() / 2;
        break;
    case Align::Right:
        x -= made.size.width();
        break;
    }
    if (font != pen.font)
        painter.setFont(fontFor(font));
    pen.font = font;
    const std::uint32_t ink = colourOf(item, palette);
    if (ink != pen.colour)
        painter.setPen(QColor::fromRgb(ink));
    pen.colour = ink;
    painter.drawStaticText(QPointF(x, item.y - made.size.height() / 2), made.text);
}

} // namespace triaxis::ui
