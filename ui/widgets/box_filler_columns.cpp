#include "ui/widgets/box_filler.h"

#include <algorithm>
#include <cmath>

namespace triaxis::ui
{
namespace
{

/// Mixes the colours of one pixel by the share of it that each covers.
class Mixture
{
public:
    bool empty() const { return m_share <= 0; }
    double room() const { return 1 - m_share; }

    void add(QRgb colour, double share)
    {
        m_red += qRed(colour) * share;
        m_green += qGreen(colour) * share;
        m_blue += qBlue(colour) * share;
        m_share += share;
    }

    /// The mixture over what is beneath, and then empty. `share`: of the pixel's width.
    QRgb over(QRgb beneath, double share)
    {
        const double rest = 1 - m_share * share;
        const auto channel = [&](double mixed, int under) {
            return int(std::clamp(mixed * share + under * rest + 0.5, 0.0, 255.0));
        };
        const QRgb colour = qRgb(channel(m_red, qRed(beneath)), channel(m_green, qGreen(beneath)),
                                 channel(m_blue, qBlue(beneath)));
        *this = {};
        return colour;
    }

private:
    double m_red = 0, m_green = 0, m_blue = 0;
    double m_share = 0;
};

/// Fills one column of pixels from the bottom.
class ColumnFiller
{
public:
    /// `lowest`: the row that holds its lower end, of which `below` lies beneath it; rows outside
    /// of [0, limit) are passed over. `share`: of the width of its pixels.
    ColumnFiller(QRgb* column, qsizetype stride, int lowest, int limit, double below, double share)
        : m_column(column), m_stride(stride), m_row(lowest), m_limit(limit), m_share(share),
          m_below(below)
    {
    }

    void add(QRgb colour, double height)
    {
        while (height > least) {
            const double room = m_mixture.room() - m_below;
            if (m_mixture.empty() && m_below <= 0 && height >= 1 && m_share >= 1) {
                const int rows = int(height);
                for (int i = 0; i < rows; ++i)
                    set(m_row - i, colour);
                m_row -= rows;
                height -= rows;
                continue;
            }
            const double taken = std::min(room, height);
            m_mixture.add(colour, taken);
            height -= taken;
            if (room - taken <= least)
                finish();
        }
    }

    void finish()
    {
        if (!m_mixture.empty() && m_row >= 0 && m_row < m_limit)
            set(m_row, m_mixture.over(m_column[m_row * m_stride], m_share));
        m_mixture = {};
        m_below = 0;
        --m_row;
    }

private:
    static constexpr double least = 1e-4; // of a pixel

    void set(int row, QRgb colour)
    {
        if (row >= 0 && row < m_limit)
            m_column[row * m_stride] = colour;
    }

    QRgb* m_column;
    qsizetype m_stride;
    int m_row;
    int m_limit;
    double m_share;
    double m_below; ///< of the first row; of those above nothing lies beneath
    Mixture m_mixture;
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
        constexpr double least = 1e-3; // of a pixel
        if (covered < least)
            continue;
        const double share = covered > 1 - least ? 1 : covered;
        ColumnFiller filler(m_bits + x, m_stride, int(lowest), m_height, lowest + 1 - bottom,
                            share);
        for (std::size_t layer = 0; layer < layers; ++layer)
            filler.add(colours[layer], heights[layer] / covered * m_scale);
        filler.finish();
    }
}

} // namespace triaxis::ui
