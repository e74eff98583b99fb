#include "ui/report/print_canvas.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

constexpr double lineSpacing = 1.35;
constexpr double hatchStep = 5;
constexpr double hatchWidth = 1.6;
constexpr double baselineShift = 0.35; // of the size, as in SVG

QColor colour(std::uint32_t rgb)
{
    return QColor::fromRgb(rgb);
}

} // namespace

QColor printInk(Ink ink)
{
    return colour(lightPalette().of(ink));
}

PrintCanvas::PrintCanvas(QPainter& painter, double scale) : m_painter(painter), m_scale(scale)
{
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setRenderHint(QPainter::TextAntialiasing);
}

QPointF PrintCanvas::device(const QPointF& point) const
{
    return (m_origin + point) * m_scale;
}

QRectF PrintCanvas::device(const QRectF& rect) const
{
    return {device(rect.topLeft()), rect.size() * m_scale};
}

QFont PrintCanvas::fontOf(PrintFont font, double size) const
{
    QFont made;
    if (font == PrintFont::Fixed)
        made.setFamilies({QStringLiteral("DejaVu Sans Mono"), QStringLiteral("monospace")});
    else
        made.setFamilies(
            {QStringLiteral("Inter"), QStringLiteral("DejaVu Sans"), QStringLiteral("sans-serif")});
    made.setPixelSize(std::max(1, int(std::lround(size * m_scale))));
    made.setWeight(font == PrintFont::Bold ? QFont::DemiBold : QFont::Normal);
    made.setHintingPreference(QFont::PreferNoHinting);
    // Alternates that a font puts for "×" or "-" between digits could not be searched and copied.
    made.setStyleStrategy(QFont::PreferNoShaping);
    return made;
}

void PrintCanvas::fill(const QRectF& rect, const QColor& fillColour, double radius)
{
    const QRectF box = device(rect);
    if (radius <= 0) {
        m_painter.fillRect(box, fillColour);
        return;
    }
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(fillColour);
    m_painter.drawRoundedRect(box, radius * m_scale, radius * m_scale);
}

void PrintCanvas::line(const QPointF& from, const QPointF& to, const QColor& lineColour,
                       double thickness, bool dashed)
{
    QPen pen(lineColour, thickness * m_scale, Qt::SolidLine, Qt::FlatCap);
    if (dashed)
        pen.setDashPattern({4, 3});
    m_painter.setPen(pen);
    m_painter.drawLine(device(from), device(to));
}

double PrintCanvas::textWidth(const QString& text, PrintFont font, double size) const
{
    return QFontMetricsF(fontOf(font, size), m_painter.device()).horizontalAdvance(text) / m_scale;
}

void PrintCanvas::write(const QPointF& anchor, const QString& text, PrintFont font, double size,
                        const QColor& textColour, Align align)
{
    QPointF at = device(anchor + QPointF(0, baselineShift * size));
    const QFont made = fontOf(font, size);
    if (align != Align::Left) {
        const double width = QFontMetricsF(made, m_painter.device()).horizontalAdvance(text);
        at.rx() -= align == Align::Centre ? width / 2 : width;
    }
    m_painter.setFont(made);
    m_painter.setPen(textColour);
    m_painter.drawText(at, text);
}

double PrintCanvas::layOut(QTextLayout& layout, double width, Align align) const
{
    QTextOption option(align == Align::Right ? Qt::AlignRight : Qt::AlignLeft);
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    const double height = layout.font().pixelSize() * lineSpacing;
    layout.beginLayout();
    double y = 0;
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(width * m_scale);
        line.setPosition(QPointF(0, y + (height - line.height()) / 2));
        y += height;
    }
    layout.endLayout();
    return y;
}

double PrintCanvas::paragraphHeight(const QString& text, PrintFont font, double size,
                                    double width) const
{
    double height = 0;
    for (const QString& part : text.split(QLatin1Char('\n'))) {
        QTextLayout layout(part, fontOf(font, size), m_painter.device());
        height += layOut(layout, width, Align::Left);
    }
    return height / m_scale;
}

void PrintCanvas::paragraph(const QPointF& at, const QString& text, PrintFont font, double size,
                            double width, const QColor& textColour, Align align)
{
    m_painter.setPen(textColour);
    QPointF top = device(at);
    for (const QString& part : text.split(QLatin1Char('\n'))) {
        QTextLayout layout(part, fontOf(font, size), m_painter.device());
        const double height = layOut(layout, width, align);
        layout.draw(&m_painter, top);
        top.ry() += height;
    }
}

/// Plays a display list at a place and scale of a canvas.
class PrintCanvas::ListPlayer
{
public:
    ListPlayer(PrintCanvas& canvas, const QPointF& at, double scale, const QRectF& part)
        : m_canvas(canvas), m_at(at - part.topLeft() * scale), m_scale(scale), m_part(part)
    {
    }

    void operator()(const FillRect& item)
    {
        const QRectF box(item.x, item.y, item.width, item.height);
        if (!box.intersects(m_part) && box.height() > 0)
            return;
        if (item.hatched)
            hatch(box, colour(colourOf(item, lightPalette())));
        else
            m_canvas.fill(placed(box), colour(colourOf(item, lightPalette())),
                          item.radius * m_scale);
    }

    void operator()(const StrokeLine& item)
    {
        m_canvas.line(placed(QPointF(item.x1, item.y1)), placed(QPointF(item.x2, item.y2)),
                      printInk(item.ink), item.thickness * m_scale, item.dashed);
    }

    void operator()(const DrawText& item)
    {
        if (item.y < m_part.top() - item.size || item.y > m_part.bottom() + item.size)
            return;
        m_canvas.write(placed(QPointF(item.x, item.y)), QString::fromStdString(item.text),
                       item.bold ? PrintFont::Bold : PrintFont::Plain, item.size * m_scale,
                       colour(colourOf(item, lightPalette())), item.align);
    }

    void operator()(const Polyline& item)
    {
        QPolygonF polygon;
        for (const auto& [x, y] : item.points)
            polygon << m_canvas.device(placed(QPointF(x, y)));
        QPen pen(printInk(item.ink), item.thickness * m_scale * m_canvas.m_scale, Qt::SolidLine,
                 Qt::RoundCap, Qt::RoundJoin);
        if (item.dashed)
            pen.setDashPattern({4, 3});
        m_canvas.m_painter.setPen(pen);
        m_canvas.m_painter.setBrush(Qt::NoBrush);
        m_canvas.m_painter.drawPolyline(polygon);
    }

private:
    QPointF placed(const QPointF& point) const { return m_at + point * m_scale; }
    QRectF placed(const QRectF& rect) const
    {
        return {placed(rect.topLeft()), rect.size() * m_scale};
    }

    /// Lines at 45°, cut by hand at the box: no pattern of pixels, no clip for each.
    void hatch(const QRectF& box, const QColor& stripe)
    {
        m_canvas.fill(placed(box), printInk(Ink::Idle));
        const double step = hatchStep * std::sqrt(2.0);
        const double first = std::floor((box.left() + box.top()) / step) * step;
        for (double sum = first; sum < box.right() + box.bottom(); sum += step) {
            // x + y = sum, from the bottom left to the top right.
            const double left = std::max(box.left(), sum - box.bottom());
            const double right = std::min(box.right(), sum - box.top());
            if (left < right)
                m_canvas.line(placed(QPointF(left, sum - left)),
                              placed(QPointF(right, sum - right)), stripe, hatchWidth * m_scale);
        }
    }

    PrintCanvas& m_canvas;
    QPointF m_at;
    double m_scale;
    QRectF m_part;
};

void PrintCanvas::play(const DisplayList& list, const QPointF& at, double scale, const QRectF& part)
{
    m_painter.save();
    m_painter.setClipRect(device(QRectF(at, part.size() * scale)));
    ListPlayer player(*this, at, scale, part);
    for (const DisplayItem& item : list.items)
        std::visit([&player](const auto& one) { player(one); }, item);
    m_painter.restore();
}

} // namespace triaxis::ui
