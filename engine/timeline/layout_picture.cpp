#include "engine/timeline/layout_picture.h"

#include "engine/timeline/charts.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr double titleHeight = 18;
constexpr double blockGap = 20;
constexpr double cellGap = 3;
constexpr double namedWidth = 74;
constexpr double namedHeight = 34;
constexpr double bareWidth = 11;
constexpr int mostCells = 2048;
constexpr double leastDrawn = 240; // room for the line beneath
constexpr double lightest = 0.14;
constexpr double darkest = 0.62;

std::string worded(const std::string& words, int number)
{
    std::string text = words;
    const std::size_t at = text.find("%1");
    return at == std::string::npos ? text : text.replace(at, 2, std::to_string(number));
}

class Drawing
{
public:
    Drawing(const Layout& layout, const std::vector<std::string>& places, double width,
            const LayoutWords& words)
        : m_layout(layout), m_places(places), m_words(words)
    {
        m_list.width = width;
        m_label = textWidth(worded(words.stage, layout.pp - 1), 11) + 10;
        const double named = blockWidth(namedWidth);
        m_named = layout.ranks() <= 128 && named <= width;
        m_cellWidth = m_named ? namedWidth : bareWidth;
        m_cellHeight = m_named ? namedHeight : bareWidth;
    }

    DisplayList draw()
    {
        // A replica wider than the picture is broken into rows of its own.
        const int fitting =
            std::max(1, int((m_list.width - m_label + cellGap) / (m_cellWidth + cellGap)));
        m_columns = std::min(m_layout.tp, fitting);
        m_lines = (m_layout.tp + m_columns - 1) / m_columns;
        const double width = m_label + double(m_columns) * (m_cellWidth + cellGap) - cellGap;
        const double height =
            titleHeight + double(m_layout.pp * m_lines) * (m_cellHeight + cellGap) - cellGap;
        const int perRow = std::max(1, int((m_list.width + blockGap) / (width + blockGap)));
        const int shown =
            std::clamp(mostCells / std::max(1, m_layout.tp * m_layout.pp), 1, m_layout.dp);
        for (int replica = 0; replica < shown; ++replica)
            block(replica, double(replica % perRow) * (width + blockGap),
                  double(replica / perRow) * (height + blockGap));
        m_list.height = double((shown - 1) / perRow) * (height + blockGap) + height;
        const int across = std::min(perRow, shown);
        const double used = double(across) * (width + blockGap) - blockGap;
        m_list.width = std::clamp(std::max(used, leastDrawn), 1.0, m_list.width);
        if (shown < m_layout.dp) {
            m_list.items.emplace_back(DrawText{0, m_list.height + 14,
                                               worded(m_words.more, m_layout.dp - shown),
                                               Ink::MutedText, 11});
            m_list.height += 24;
        }
        return std::move(m_list);
    }

private:
    double blockWidth(double cell) const
    {
        return m_label + double(m_layout.tp) * (cell + cellGap) - cellGap;
    }

    void block(int replica, double x, double y)
    {
        m_list.items.emplace_back(
            DrawText{x, y + 8, worded(m_words.replica, replica), Ink::MutedText, 11});
        for (int stage = 0; stage < m_layout.pp; ++stage) {
            const double row = y + titleHeight + double(stage * m_lines) * (m_cellHeight + cellGap);
            if (m_named || stage % 2 == 0)
                m_list.items.emplace_back(DrawText{x, row + m_cellHeight / 2,
                                                   worded(m_words.stage, stage), Ink::Text, 11});
            for (int tensor = 0; tensor < m_layout.tp; ++tensor)
                cell({replica, tensor, stage},
                     x + m_label + double(tensor % m_columns) * (m_cellWidth + cellGap),
                     row + double(tensor / m_columns) * (m_cellHeight + cellGap));
        }
    }

    void cell(const Coordinates& at, double x, double y)
    {
        const double dark = m_layout.pp < 2
                                ? lightest
                                : lightest + (darkest - lightest) * at.pipeline / (m_layout.pp - 1);
        m_list.items.emplace_back(FillRect{x, y, m_cellWidth, m_cellHeight, Ink::Accent,
                                           m_named ? 4.0 : 2.0, false, dark});
        if (!m_named)
            return;
        const int rank = rankOf(m_layout, at).value;
        const std::string place =
            std::size_t(rank) < m_places.size() ? m_places[std::size_t(rank)] : std::string();
        const bool placed = !place.empty() && textWidth(place, 10) + 6 <= m_cellWidth;
        const double middle = y + m_cellHeight / 2;
        m_list.items.emplace_back(DrawText{x + m_cellWidth / 2, placed ? middle - 7 : middle,
                                           worded(m_words.rank, rank), Ink::Accent, 11,
                                           Align::Centre, true, true, dark});
        if (placed)
            m_list.items.emplace_back(DrawText{x + m_cellWidth / 2, middle + 8, place, Ink::Accent,
                                               10, Align::Centre, false, true, dark});
    }

    const Layout& m_layout;
    const std::vector<std::string>& m_places;
    const LayoutWords& m_words;
    DisplayList m_list;
    double m_label = 0;
    bool m_named = false;
    double m_cellWidth = 0;
    double m_cellHeight = 0;
    int m_columns = 1;
    int m_lines = 1;
};

} // namespace

DisplayList drawLayout(const Layout& layout, const std::vector<std::string>& places, double width,
                       const LayoutWords& words)
{
    return Drawing(layout, places, width, words).draw();
}

} // namespace triaxis
