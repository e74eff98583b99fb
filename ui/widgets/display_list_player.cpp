#include "ui/widgets/display_list_player.h"

#include "ui/theme/theme.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int mostLabels = 8192;
constexpr double hatchTile = 6;

QColor inkColour(Ink ink, const Palette& palette)
{
    return QColor::fromRgb(palette.of(ink));
}

QFont fontFor(const DrawText& item)
{
    QFont font = QGuiApplication::font();
    font.setPixelSize(std::max(1, int(std::lround(item.size))));
    font.setWeight(item.bold ? QFont::DemiBold : QFont::Normal);
    return font;
}

void stroke(QPainter& painter, const StrokeLine& item, const Palette& palette)
{
    QPen pen(inkColour(item.ink, palette), item.thickness);
    if (item.dashed)
        pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.drawLine(QPointF(item.x1, item.y1), QPointF(item.x2, item.y2));
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

void DisplayListPlayer::play(QPainter& painter, const DisplayList& list, const Palette& palette)
{
    const QString family = QGuiApplication::font().toString();
    if (family != m_family || m_labels.size() > mostLabels) {
        m_labels.clear();
        m_family = family;
    }
    for (const DisplayItem& item : list.items) {
        if (const auto* rectangle = std::get_if<FillRect>(&item))
            fill(painter, *rectangle, palette);
        else if (const auto* text = std::get_if<DrawText>(&item))
            write(painter, *text, palette);
        else if (const auto* line = std::get_if<StrokeLine>(&item))
            stroke(painter, *line, palette);
        else if (const auto* points = std::get_if<Polyline>(&item))
            trace(painter, *points, palette);
    }
}

void DisplayListPlayer::fill(QPainter& painter, const FillRect& item, const Palette& palette)
{
    const QRectF box(item.x, item.y, item.width, item.height);
    const QColor colour = QColor::fromRgb(colourOf(item, palette));
    if (item.hatched) {
        const QPixmap tile = hatch(inkColour(Ink::Idle, palette), colour,
                                   painter.device()->devicePixelRatioF());
        painter.drawTiledPixmap(box, tile);
        return;
    }
    if (item.radius <= 0) {
        painter.fillRect(box, colour);
        return;
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawRoundedRect(box, item.radius, item.radius);
}

QPixmap DisplayListPlayer::hatch(const QColor& background, const QColor& stripe, double ratio)
{
    const quint64 key = (quint64(background.rgb() & 0xFFFFFF) << 24 | (stripe.rgb() & 0xFFFFFF)) * 31 +
                        quint64(ratio * 16);
    const auto found = m_hatches.constFind(key);
    if (found != m_hatches.constEnd())
        return *found;
    const int pixels = int(std::lround(hatchTile * ratio));
    QPixmap tile(pixels, pixels);
    tile.fill(background);
    QPainter painter(&tile);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(stripe, 1.2 * ratio));
    for (const int shift : {-1, 0, 1})
        painter.drawLine(QPointF(shift * pixels, pixels), QPointF((shift + 1) * pixels, 0));
    painter.end();
    tile.setDevicePixelRatio(ratio);
    m_hatches.insert(key, tile);
    return tile;
}

const DisplayListPlayer::Label& DisplayListPlayer::label(const DrawText& item, const QFont& font)
{
    const QString text = QString::fromStdString(item.text);
    const QString key = QStringLiteral("%1/%2/%3").arg(font.pixelSize()).arg(item.bold).arg(text);
    auto found = m_labels.find(key);
    if (found == m_labels.end()) {
        Label made{QStaticText(text), {}};
        made.text.setTextFormat(Qt::PlainText);
        made.text.setPerformanceHint(QStaticText::AggressiveCaching);
        made.text.prepare({}, font);
        const QFontMetricsF metrics(font);
        made.size = {metrics.horizontalAdvance(text), metrics.height()};
        found = m_labels.insert(key, std::move(made));
    }
    return *found;
}

void DisplayListPlayer::write(QPainter& painter, const DrawText& item, const Palette& palette)
{
    const QFont font = fontFor(item);
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
    painter.setFont(font);
    painter.setPen(QColor::fromRgb(colourOf(item, palette)));
    painter.drawStaticText(QPointF(x, item.y - made.size.height() / 2), made.text);
}

} // namespace triaxis::ui
