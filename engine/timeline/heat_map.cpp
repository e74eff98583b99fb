#include "engine/timeline/heat_map.h"

#include "engine/timeline/charts.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double labelSize = 11;
constexpr double headHeight = 22;
constexpr double gap = 2;
constexpr double widestCell = 116;
constexpr double lightest = 0.08;

double cellHeight(std::size_t rows)
{
    return rows <= 24 ? 26 : rows <= 64 ? 14 : 6;
}

double widest(const std::vector<std::string>& texts)
{
    double width = 0;
    for (const std::string& text : texts)
        width = std::max(width, textWidth(text, labelSize));
    return width;
}

/// Every how many names one has room for, at `size` pixels a cell.
std::size_t stride(double needed, double size)
{
    return size > 0 ? std::size_t(std::max(1.0, std::ceil(needed / size))) : 1;
}

class Painter
{
public:
    Painter(const HeatMap& map, double width) : m_map(map)
    {
        m_list.width = width;
        m_left = std::max(widest(map.rows), textWidth(map.corner, labelSize)) + 12;
        const double room = (width - m_left) / double(map.columns.size());
        m_cellWidth = std::clamp(room - gap, 1.0, widestCell);
        m_cellHeight = cellHeight(map.rows.size());
    }

    DisplayList paint()
    {
        names();
        for (std::size_t column = 0; column < m_map.columns.size(); ++column)
            for (std::size_t row = 0; row < m_map.rows.size(); ++row)
                cell(row, column);
        const double bottom = top(m_map.rows.size());
        m_list.items.emplace_back(DrawText{0, bottom + 10, m_map.scale, Ink::MutedText, labelSize});
        m_list.height = bottom + 20;
        m_list.width = std::clamp(
            std::max(left(m_map.columns.size()) - gap, triaxis::textWidth(m_map.scale, labelSize)),
            1.0, m_list.width);
        return std::move(m_list);
    }

private:
    double left(std::size_t column) const { return m_left + double(column) * (m_cellWidth + gap); }
    double top(std::size_t row) const { return headHeight + double(row) * (m_cellHeight + gap); }

    void names()
    {
        m_list.items.emplace_back(
            DrawText{0, headHeight / 2, m_map.corner, Ink::MutedText, labelSize});
        const std::size_t everyColumn = stride(widest(m_map.columns) + 6, m_cellWidth + gap);
        for (std::size_t column = 0; column < m_map.columns.size(); column += everyColumn)
            m_list.items.emplace_back(DrawText{left(column) + m_cellWidth / 2, headHeight / 2,
                                               m_map.columns[column], Ink::MutedText, labelSize,
                                               Align::Centre});
        const std::size_t everyRow = stride(labelSize + 2, m_cellHeight + gap);
        for (std::size_t row = 0; row < m_map.rows.size(); row += everyRow)
            m_list.items.emplace_back(
                DrawText{0, top(row) + m_cellHeight / 2, m_map.rows[row], Ink::Text, labelSize});
    }

    double most(std::size_t column) const
    {
        double most = 0;
        for (std::size_t i = 0; i < m_map.values.size(); ++i)
            if (std::isfinite(m_map.values[i]) &&
                (!m_map.byColumn || i % m_map.columns.size() == column))
                most = std::max(most, m_map.values[i]);
        return most;
    }

    void cell(std::size_t row, std::size_t column)
    {
        if (row == 0)
            m_most = m_map.byColumn || column == 0 ? most(column) : m_most;
        const std::size_t index = row * m_map.columns.size() + column;
        const double value = m_map.values[index];
        const bool empty = !std::isfinite(value) || value <= 0;
        const double dark = empty ? 1 : lightest + (1 - lightest) * value / m_most;
        const Ink ink = empty ? Ink::Idle : Ink::Accent;
        m_list.items.emplace_back(FillRect{left(column), top(row), m_cellWidth, m_cellHeight, ink,
                                           m_cellHeight > 20 ? 3.0 : 0.0, false, dark});
        if (empty || m_map.texts.empty() || m_cellHeight < 14 ||
            textWidth(m_map.texts[index], labelSize) + 4 > m_cellWidth)
            return;
        m_list.items.emplace_back(DrawText{left(column) + m_cellWidth / 2,
                                           top(row) + m_cellHeight / 2, m_map.texts[index], ink,
                                           labelSize, Align::Centre, false, true, dark});
    }

    const HeatMap& m_map;
    DisplayList m_list;
    double m_left = 0;
    double m_cellWidth = 0;
    double m_cellHeight = 0;
    double m_most = 0;
};

} // namespace

DisplayList drawHeatMap(const HeatMap& map, double width)
{
    if (map.rows.empty() || map.columns.empty() ||
        map.values.size() != map.rows.size() * map.columns.size()) {
        DisplayList list;
        list.width = width;
        list.height = 28;
        list.items.emplace_back(DrawText{0, 14, map.scale, Ink::MutedText});
        return list;
    }
    return Painter(map, width).paint();
}

} // namespace triaxis
