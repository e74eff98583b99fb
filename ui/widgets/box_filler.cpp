#include "ui/widgets/box_filler.h"

#include "ui/widgets/pixel_mixture.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

/// How far a rounded corner draws the sides in at `y`.
double inset(double y, double top, double bottom, double radius)
{
    const double inside = std::min(y - top, bottom - y);
    if (inside >= radius)
        return 0;
    const double rise = radius - inside;
    return radius - std::sqrt(std::max(0.0, radius * radius - rise * rise));
}

} // namespace

std::optional<BoxFiller> BoxFiller::on(const QPainter& painter)
{
    auto* image = dynamic_cast<QImage*>(painter.device());
    if (!image || image->format() != QImage::Format_RGB32)
        return std::nullopt;
    const QTransform toPixels = painter.deviceTransform();
    if (toPixels.type() > QTransform::TxScale || toPixels.m11() != toPixels.m22() ||
        !(toPixels.m11() > 0) || painter.hasClipping() || painter.opacity() < 1 ||
        painter.compositionMode() != QPainter::CompositionMode_SourceOver)
        return std::nullopt;
    return BoxFiller(*image, toPixels);
}

BoxFiller::BoxFiller(QImage& image, const QTransform& toPixels)
    : m_bits(reinterpret_cast<QRgb*>(image.bits())),
      m_stride(image.bytesPerLine() / qsizetype(sizeof(QRgb))), m_width(image.width()),
      m_height(image.height()), m_scale(toPixels.m11()), m_left(toPixels.dx()), m_top(toPixels.dy())
{
}

/// Pixels that a row of a box covers: one in part, some whole, one in part.
struct BoxFiller::Edges
{
    int first = 0;   ///< whole pixels
    int last = 0;    ///< one past them
    int before = -1; ///< pixel covered in part; −1: none
    int after = -1;
    double shareBefore = 0;
    double shareAfter = 0;

    Edges(double from, double to, int limit)
    {
        from = std::clamp(from, 0.0, double(limit));
        to = std::clamp(to, from, double(limit));
        first = int(std::ceil(from));
        last = int(to);
        if (last < first) { // within one pixel
            before = last;
            shareBefore = to - from;
            last = first;
            return;
        }
        if (first > from) {
            before = first - 1;
            shareBefore = first - from;
        }
        if (to > last) {
            after = last;
            shareAfter = to - last;
        }
    }
};

/// One row of a box, `tall` of its height covered.
template <class Source>
void BoxFiller::fillRow(int y, double tall, const Edges& edges, const Source& source)
{
    QRgb* line = m_bits + y * m_stride;
    if (edges.before >= 0)
        line[edges.before] = blended(line[edges.before], source(edges.before, y),
                                     coverageOf(edges.shareBefore * tall));
    if (coverageOf(tall) == wholePixel)
        source.fill(line, edges.first, edges.last, y);
    else
        for (int x = edges.first; x < edges.last; ++x)
            line[x] = blended(line[x], source(x, y), coverageOf(tall));
    if (edges.after >= 0)
        line[edges.after] =
            blended(line[edges.after], source(edges.after, y), coverageOf(edges.shareAfter * tall));
}

/// Rows that are covered from top to bottom: most of every box.
template <class Source>
void BoxFiller::fillWholeRows(int firstRow, int lastRow, const Edges& edges, const Source& source)
{
    // Pixels may alias whatever is an int and not a local.
    const Edges own = edges;
    const qsizetype stride = m_stride;
    const int before = coverageOf(own.shareBefore);
    const int after = coverageOf(own.shareAfter);
    QRgb* line = m_bits + firstRow * stride;
    if (own.before < 0 && own.after < 0 && own.last - own.first == 1) {
        line += own.first;
        for (int y = firstRow; y < lastRow; ++y, line += stride)
            *line = source(own.first, y);
        return;
    }
    for (int y = firstRow; y < lastRow; ++y, line += stride) {
        if (own.before >= 0)
            line[own.before] = blended(line[own.before], source(own.before, y), before);
        source.fill(line, own.first, own.last, y);
        if (own.after >= 0)
            line[own.after] = blended(line[own.after], source(own.after, y), after);
    }
}

template <class Source>
void BoxFiller::fillRows(const QRectF& box, double radius, const Source& source)
{
    const double left = m_left + box.left() * m_scale;
    const double right = left + box.width() * m_scale;
    const double top = m_top + box.top() * m_scale;
    const double bottom = top + box.height() * m_scale;
    if (!(right > left) || !(bottom > top))
        return;
    const double round = std::min({radius * m_scale, (right - left) / 2, (bottom - top) / 2});
    const Edges straight(left, right, m_width);
    const int firstRow = int(std::clamp(std::floor(top), 0.0, double(m_height)));
    const int lastRow = int(std::clamp(std::ceil(bottom), 0.0, double(m_height)));
    const int firstWhole =
        std::clamp(int(std::ceil(std::max(top + round, 0.0))), firstRow, lastRow);
    const int lastWhole = std::clamp(int(std::max(bottom - round, 0.0)), firstWhole, lastRow);
    const auto inPart = [&](int y) {
        const double from = std::max(top, double(y));
        const double to = std::min(bottom, double(y + 1));
        const double drawn = round > 0 ? inset((from + to) / 2, top, bottom, round) : 0;
        fillRow(y, to - from, drawn > 0 ? Edges(left + drawn, right - drawn, m_width) : straight,
                source);
    };
    for (int y = firstRow; y < firstWhole; ++y)
        inPart(y);
    fillWholeRows(firstWhole, lastWhole, straight, source);
    for (int y = lastWhole; y < lastRow; ++y)
        inPart(y);
}

namespace
{

struct PlainSource
{
    QRgb colour;
    QRgb operator()(int, int) const { return colour; }
    void fill(QRgb* line, int first, int last, int) const
    {
        std::fill(line + first, line + last, colour);
    }
};

struct TileSource
{
    const QImage& tile;
    QRgb operator()(int x, int y) const
    {
        return reinterpret_cast<const QRgb*>(
            tile.constScanLine(y % tile.height()))[x % tile.width()];
    }
    void fill(QRgb* line, int first, int last, int y) const
    {
        const auto* from = reinterpret_cast<const QRgb*>(tile.constScanLine(y % tile.height()));
        int at = first % tile.width();
        for (int x = first; x < last; ++x) {
            line[x] = from[at];
            at = at + 1 < tile.width() ? at + 1 : 0;
        }
    }
};

} // namespace

void BoxFiller::fill(const QRectF& box, QRgb colour, double radius)
{
    fillRows(box, radius, PlainSource{colour | 0xFF000000});
}

void BoxFiller::fillTiled(const QRectF& box, const QImage& tile)
{
    if (!tile.isNull())
        fillRows(box, 0, TileSource{tile});
}

} // namespace triaxis::ui
