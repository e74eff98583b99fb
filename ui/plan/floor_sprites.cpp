#include "ui/plan/floor_sprites.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr int overCapacity = 10000;
constexpr int noBar = 10001;
constexpr std::size_t mostSheets = 4;
constexpr qsizetype mostPills = 256;

enum class Sprite { Cell, Outline, Frame, Mark };

std::uint64_t key(Sprite kind, int a, int b, int c)
{
    return std::uint64_t(kind) << 60 | std::uint64_t(a & 0xfffff) << 40 |
           std::uint64_t(b & 0xfffff) << 20 | std::uint64_t(c & 0xfffff);
}

double roundness(const QSize& cell)
{
    return std::clamp(cell.width() / 9.0, 1.0, 8.0);
}

int digitWidth(const QFont& font)
{
    const QFontMetricsF metrics(font);
    double widest = 0;
    for (char digit = '0'; digit <= '9'; ++digit)
        widest = std::max(widest, metrics.horizontalAdvance(QLatin1Char(digit)));
    return int(std::ceil(widest));
}

int dotWidth(const QFont& font)
{
    return std::max(2, int(std::lround(QFontMetricsF(font).horizontalAdvance(QChar(0xB7)))));
}

} // namespace

QColor cellColour(const Theme& theme, int colour)
{
    return theme.stage(std::max(0, colour));
}

FloorGlyphs::FloorGlyphs(const QFont& font, const QColor& ink, double ratio)
    : m_digit(digitWidth(font)), m_dot(dotWidth(font))
{
    const QFontMetricsF metrics(font);
    m_height = int(std::ceil(metrics.height()));
    for (int i = 0; i <= 10; ++i) {
        const int width = i == 10 ? m_dot : m_digit;
        QPixmap& glyph = m_glyphs[std::size_t(i)];
        glyph = QPixmap(QSize(int(std::ceil(width * ratio)), int(std::ceil(m_height * ratio))));
        glyph.setDevicePixelRatio(ratio);
        glyph.fill(Qt::transparent);
        QPainter painter(&glyph);
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(QRect(0, 0, width, m_height), Qt::AlignCenter,
                         i == 10 ? QString(QChar(0xB7)) : QString::number(i));
    }
}

int FloorGlyphs::widthOf(const QFont& font, int characters)
{
    return (characters - 2) * digitWidth(font) + 2 * dotWidth(font);
}

void FloorGlyphs::draw(QPainter& painter, const QRect& box, const Coordinates& at) const
{
    std::array<int, 40> glyphs{}; // 10: the dot
    int count = 0;
    int width = 0;
    const auto add = [&](int number) {
        const int begin = count;
        do {
            glyphs[std::size_t(count++)] = number % 10;
            number /= 10;
            width += m_digit;
        } while (number > 0);
        std::reverse(glyphs.begin() + begin, glyphs.begin() + count);
    };
    const auto dot = [&] {
        glyphs[std::size_t(count++)] = 10;
        width += m_dot;
    };
    add(at.data);
    dot();
    add(at.tensor);
    dot();
    add(at.pipeline);
    int x = box.left() + (box.width() - width) / 2;
    const int y = box.top() + (box.height() - m_height) / 2;
    for (int i = 0; i < count; ++i) {
        const int glyph = glyphs[std::size_t(i)];
        painter.drawPixmap(x, y, m_glyphs[std::size_t(glyph)]);
        x += glyph == 10 ? m_dot : m_digit;
    }
}

const FloorGlyphs& FloorSprites::glyphs(const QFont& font, const QColor& ink)
{
    Sheet& sheet = m_sheets.front();
    if (sheet.font != font) {
        sheet.glyphs.clear();
        sheet.font = font;
    }
    const auto known = sheet.glyphs.find(ink.rgb());
    if (known != sheet.glyphs.end())
        return known->second;
    return sheet.glyphs.emplace(ink.rgb(), FloorGlyphs(font, ink, m_ratio)).first->second;
}

void FloorSprites::prepare(const Theme& theme, const QSize& cell, double ratio)
{
    if (m_theme != &theme || m_ratio != ratio) {
        m_sheets.clear();
        m_pills.clear();
    }
    m_theme = &theme;
    m_cell = cell;
    m_ratio = ratio;
    const auto known = std::find_if(m_sheets.begin(), m_sheets.end(),
                                    [&](const Sheet& sheet) { return sheet.cell == cell; });
    if (known != m_sheets.end()) {
        m_sheets.splice(m_sheets.begin(), m_sheets, known);
        return;
    }
    m_sheets.push_front({cell, {}, {}, {}});
    if (m_sheets.size() > mostSheets)
        m_sheets.pop_back();
}

QPixmap FloorSprites::blank(const QSize& pixels) const
{
    QPixmap pixmap(QSize(std::max(1, int(std::ceil(pixels.width() * m_ratio))),
                         std::max(1, int(std::ceil(pixels.height() * m_ratio)))));
    pixmap.setDevicePixelRatio(m_ratio);
    pixmap.fill(Qt::transparent);
    return pixmap;
}

QRectF FloorSprites::bar(const QSizeF& cell)
{
    const double height = std::clamp(std::round(cell.height() / 8), 3.0, 10.0);
    const double inset = std::max(3.0, std::round(cell.width() * 0.13));
    const double below = std::max(3.0, std::round(cell.height() * 0.14));
    return {inset, cell.height() - below - height, cell.width() - 2 * inset, height};
}

const QPixmap& FloorSprites::cell(const CellLook& look)
{
    int level = noBar;
    if (look.hasBar && look.fill)
        level = *look.fill > 1 ? overCapacity
                               : int(std::lround(std::max(0.0, *look.fill) * bar(m_cell).width()));
    const std::uint64_t id = key(Sprite::Cell, int(look.kind), look.colour % 8, level);
    auto& drawn = m_sheets.front().drawn;
    const auto known = drawn.find(id);
    if (known != drawn.end())
        return known->second;
    return drawn.emplace(id, paintedCell(look, level)).first->second;
}

QPixmap FloorSprites::paintedCell(const CellLook& look, int level) const
{
    QPixmap pixmap = blank(m_cell);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box{QPointF(), QSizeF(m_cell)};
    const double round = roundness(m_cell);
    if (look.kind != CellLook::Kind::Rank) {
        const bool ghost = look.kind == CellLook::Kind::Ghost;
        QPen pen(ghost ? m_theme->danger : m_theme->faint, 1);
        if (ghost)
            pen.setDashPattern({3, 3});
        painter.setPen(pen);
        painter.setBrush(m_theme->panel);
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), round, round);
        return pixmap;
    }
    const QColor fill = cellColour(*m_theme, look.colour);
    const bool over = level == overCapacity;
    painter.setPen(Qt::NoPen);
    painter.setBrush(over ? m_theme->danger : fill);
    painter.drawRoundedRect(box, round, round);
    if (over) {
        const double edge = m_cell.width() >= 24 ? 2 : 1;
        painter.setBrush(fill);
        painter.drawRoundedRect(box.adjusted(edge, edge, -edge, -edge), round - 1, round - 1);
    }
    if (level == noBar)
        return pixmap;
    const QRectF track = bar(m_cell);
    const double end = track.height() / 2;
    painter.setBrush(mixed(fill, m_theme->dark ? QColor(Qt::black) : QColor(Qt::white), 0.55));
    painter.drawRoundedRect(track, end, end);
    QRectF full = track;
    if (!over)
        full.setWidth(std::max<double>(std::min(track.width(), track.height()), level));
    painter.setBrush(over ? QColor::fromRgb(0xB3261E) : mixed(labelOn(fill), fill, 0.38));
    painter.drawRoundedRect(full, end, end);
    if (over && track.height() >= 4) { // a second sign besides the colour
        painter.setBrush(Qt::white);
        for (int i = 1; i <= 3; ++i)
            painter.drawRect(
                QRectF(track.right() - i * 5 - 1, track.top() + 1, 2, track.height() - 2));
    }
    return pixmap;
}

const QPixmap& FloorSprites::outline(const OutlineLook& look)
{
    const std::uint64_t id =
        key(Sprite::Outline, look.pixels.width(), look.pixels.height(), look.broken);
    auto& drawn = m_sheets.front().drawn;
    const auto known = drawn.find(id);
    if (known != drawn.end())
        return known->second;
    QPixmap pixmap = blank(look.pixels);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const double width = m_cell.width() >= 24 ? 1.5 : 1;
    QPen pen(m_theme->tensor, width);
    pen.setDashPattern(look.broken ? QList<qreal>{1.4, 5} : QList<qreal>{3.4, 2});
    painter.setPen(pen);
    const double round = roundness(m_cell) + 2;
    painter.drawRoundedRect(QRectF(QPointF(), QSizeF(look.pixels))
                                .adjusted(width / 2, width / 2, -width / 2, -width / 2),
                            round, round);
    painter.end();
    return drawn.emplace(id, std::move(pixmap)).first->second;
}

const QPixmap& FloorSprites::frame(const QSize& pixels, bool ghost, bool folded)
{
    const std::uint64_t id =
        key(Sprite::Frame, pixels.width(), pixels.height(), int(ghost) + 2 * int(folded));
    auto& drawn = m_sheets.front().drawn;
    const auto known = drawn.find(id);
    if (known != drawn.end())
        return known->second;
    QPixmap pixmap = blank(pixels + QSize(8, 8));
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(QPointF(), QSizeF(pixels)).adjusted(0.5, 0.5, -0.5, -0.5);
    const double round = std::clamp(pixels.width() / 18.0, 2.0, 8.0);
    QPen pen(ghost ? m_theme->danger : m_theme->line, 1);
    if (ghost)
        pen.setDashPattern({4, 4});
    painter.setPen(pen);
    painter.setBrush(m_theme->raised);
    if (folded) { // two more behind it
        painter.drawRoundedRect(box.translated(6, 6), round, round);
        painter.drawRoundedRect(box.translated(3, 3), round, round);
    }
    painter.drawRoundedRect(box, round, round);
    painter.end();
    return drawn.emplace(id, std::move(pixmap)).first->second;
}

const QPixmap& FloorSprites::mark(Severity severity, int pixels)
{
    const std::uint64_t id = key(Sprite::Mark, int(severity), pixels, 0);
    auto& drawn = m_sheets.front().drawn;
    const auto known = drawn.find(id);
    if (known != drawn.end())
        return known->second;
    QPixmap pixmap = blank({pixels, pixels});
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = QRectF(0, 0, pixels, pixels).adjusted(1, 1, -1, -1);
    painter.setPen(QPen(m_theme->panel, 1.5));
    QFont font = painter.font();
    font.setPixelSize(std::max(6, pixels - 5));
    font.setBold(true);
    painter.setFont(font);
    QColor fill = m_theme->accent;
    switch (severity) {
    case Severity::Error:
        fill = m_theme->danger;
        painter.setBrush(fill);
        painter.drawEllipse(box);
        break;
    case Severity::Warning:
        fill = m_theme->warning;
        painter.setBrush(fill);
        painter.drawConvexPolygon(
            QPolygonF({QPointF(box.center().x(), box.top()), box.bottomRight(), box.bottomLeft()}));
        break;
    case Severity::Note:
        painter.setBrush(fill);
        painter.drawEllipse(box.adjusted(2, 2, -2, -2));
        break;
    }
    if (severity != Severity::Note) {
        painter.setPen(labelOn(fill));
        const double lower = severity == Severity::Warning ? pixels * 0.1 : 0;
        painter.drawText(box.translated(0, lower), Qt::AlignCenter, QStringLiteral("!"));
    }
    painter.end();
    return drawn.emplace(id, std::move(pixmap)).first->second;
}

const QPixmap& FloorSprites::pill(const QString& text, const QSize& pixels, const QFont& font)
{
    if (m_pillFont != font || m_pills.size() > mostPills) {
        m_pills.clear();
        m_pillFont = font;
    }
    QPixmap& pixmap = m_pills[text];
    if (!pixmap.isNull())
        return pixmap;
    pixmap = blank(pixels);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->accent, 1));
    painter.setBrush(m_theme->panel);
    const QRect box(QPoint(), pixels);
    const double round = pixels.height() / 2.0;
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), round, round);
    painter.setFont(font);
    painter.drawText(box, Qt::AlignCenter, text);
    return pixmap;
}

} // namespace triaxis::ui
