#include "ui/widgets/box_filler.h"

#include "ui/widgets/pixel_mixture.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

/// Fills one column of pixels from the bottom, in steps of 1/256 of a pixel: that is as fine as
/// colours are.
class ColumnFiller
{
public:
    /// `lowest`: the row that holds its lower end, of which `below` lies beneath it; rows outside
    /// of [0, limit) are passed over. `share`: of the width of its pixels that is filled.
    ColumnFiller(QRgb* column, qsizetype stride, int lowest, int limit, int below, int share)
        : m_column(column), m_stride(stride), m_lowest(lowest), m_limit(limit), m_share(share),
          m_at(below)
    {
    }

    /// Up to `top` above the lower edge of the lowest row.
    void fillTo(int top, QRgb colour)
    {
        while (m_at < top) {
            const int inside = m_at % wholePixel;
            if (inside == 0 && top - m_at >= wholePixel) {
                setRows(m_at / wholePixel, top / wholePixel, colour);
                m_at = top / wholePixel * wholePixel;
                continue;
            }
            const int taken = std::min(wholePixel - inside, top - m_at);
            m_redBlue += (colour & 0xFF00FF) * std::uint32_t(taken);
            m_green += (colour & 0x00FF00) * std::uint32_t(taken);
            m_mixed += taken;
            m_at += taken;
            if (inside + taken == wholePixel)
                setMixture(m_at / wholePixel - 1);
        }
    }

    void finish()
    {
        if (m_mixed > 0)
            setMixture(m_at / wholePixel);
    }

private:
    /// What was mixed of a pixel, over what is beneath.
    void setMixture(int above)
    {
        const int row = m_lowest - above;
        if (row >= 0 && row < m_limit) {
            QRgb& pixel = m_column[row * m_stride];
            const auto rest = std::uint32_t(wholePixel - m_mixed);
            const std::uint32_t redBlue = m_redBlue + (pixel & 0xFF00FF) * rest + 0x800080;
            const std::uint32_t green = m_green + (pixel & 0x00FF00) * rest + 0x008000;
            const QRgb mixture =
                0xFF000000 | ((redBlue >> 8) & 0xFF00FF) | ((green >> 8) & 0x00FF00);
            pixel = m_share == wholePixel ? mixture : blended(pixel, mixture, m_share);
        }
        m_redBlue = m_green = 0;
        m_mixed = 0;
    }

    /// Rows [from, to) above the lowest.
    void setRows(int from, int to, QRgb colour)
    {
        const int first = std::max(0, m_lowest - to + 1);
        const int last = std::min(m_limit, m_lowest - from + 1);
        if (first >= last)
            return;
        QRgb* pixel = m_column + first * m_stride;
        for (int row = first; row < last; ++row, pixel += m_stride)
            *pixel = m_share == wholePixel ? colour : blended(*pixel, colour, m_share);
    }

    QRgb* m_column;
    qsizetype m_stride;
    int m_lowest;
    int m_limit;
    int m_share;
    int m_at; ///< above the lower edge of the lowest row
    std::uint32_t m_redBlue = 0;
    std::uint32_t m_green = 0;
    int m_mixed = 0; ///< of the pixel at m_at
};

} // namespace

void BoxFiller::fill(const StackedColumns& stack, const std::vector<QRgb>& colours)
{
    if (stack.columns() == 0)
        return;
    const auto xOf = [this](double x) { return m_left + x * m_scale; };
    const double bottom = m_top + (stack.top + stack.height) * m_scale;
    const double lowest = std::ceil(bottom) - 1;
    if (!(std::abs(bottom) < 1e9))
        return;
    const int below = coverageOf(lowest + 1 - bottom);
    const std::size_t layers = stack.inks.size();
    const double right = std::min(xOf(stack.edges.back()), double(m_width));
    std::size_t column = 0;
    std::vector<double> heights(layers);
    for (int x = int(std::max(0.0, std::floor(xOf(stack.edges.front())))); x < right; ++x) {
        // A pixel may reach over several columns, and a column over several pixels.
        while (column + 1 < stack.columns() && xOf(stack.edges[column + 1]) <= x)
            ++column;
        std::fill(heights.begin(), heights.end(), 0.0);
        double covered = 0;
        for (std::size_t i = column; i < stack.columns(); ++i) {
            const double from = std::max(xOf(stack.edges[i]), double(x));
            const double to = std::min(xOf(stack.edges[i + 1]), x + 1.0);
            if (!(to > from))
                break;
            covered += to - from;
            for (std::size_t layer = 0; layer < layers; ++layer)
                heights[layer] += double(stack.heightOf(i, layer)) * (to - from);
        }
        constexpr double least = 1e-3;   // of a pixel
        constexpr double farthest = 1e6; // pixels; beyond every screen
        if (covered < least)
            continue;
        const int share = covered > 1 - least ? wholePixel : coverageOf(covered);
        ColumnFiller filler(m_bits + x, m_stride, int(lowest), m_height, below, share);
        double top = lowest + 1 - bottom;
        for (std::size_t layer = 0; layer < layers; ++layer) {
            top += heights[layer] * (m_scale / covered);
            filler.fillTo(coverageOf(std::min(top, farthest)), colours[layer] | 0xFF000000);
        }
        filler.finish();
    }
}

} // namespace triaxis::ui
