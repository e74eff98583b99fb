#include "engine/core/units.h"
#include "engine/timeline/charts.h"

#include <algorithm>
#include <tuple>

namespace triaxis
{
namespace
{

constexpr std::size_t mostNamedCells = 64;
constexpr double leastNamedWidth = 76;
constexpr double namedHeight = 50;
constexpr double gap = 6;
constexpr double widestNamed = 160;
constexpr double smallestCell = 13;
constexpr double largestCell = 26;
constexpr double smallGap = 2;
constexpr double lightest = 0.12;

/// How dark a cell is. The scale begins at 60 % of the fullest rank, lower only if a rank holds
/// less, so that small differences stay small.
class Shade
{
public:
    explicit Shade(const std::vector<MemoryCell>& cells)
    {
        for (const MemoryCell& cell : cells)
            m_most = std::max(m_most, double(cell.bytes));
        m_least = 0.6 * m_most;
        for (const MemoryCell& cell : cells)
            m_least = std::min(m_least, double(cell.bytes));
    }

    double of(const MemoryCell& cell) const
    {
        if (!(m_most > m_least))
            return lightest;
        return lightest + (1 - lightest) * (double(cell.bytes) - m_least) / (m_most - m_least);
    }

private:
    double m_most = 0;
    double m_least = 0;
};

std::size_t cellsPerStage(const std::vector<MemoryCell>& cells)
{
    return std::size_t(std::count_if(cells.begin(), cells.end(), [&](const MemoryCell& cell) {
        return cell.at.pipeline == cells.front().at.pipeline;
    }));
}

void addNamedCells(DisplayList& list, const std::vector<MemoryCell>& cells)
{
    const Shade shade(cells);
    const std::size_t fitting =
        std::max<std::size_t>(1, std::size_t((list.width + gap) / (leastNamedWidth + gap)));
    const std::size_t stage = cellsPerStage(cells);
    // Whole stages a row if they fit; a stage that does not is broken evenly.
    std::size_t columns = stage <= fitting ? fitting / stage * stage : fitting;
    if (stage > fitting)
        columns = (stage + (stage + fitting - 1) / fitting - 1) / ((stage + fitting - 1) / fitting);
    columns = std::min(columns, cells.size());
    const double width =
        std::min(widestNamed, (list.width - gap * double(columns - 1)) / double(columns));
    std::size_t column = 0;
    double y = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const bool newStage = i > 0 && cells[i].at.pipeline != cells[i - 1].at.pipeline;
        if (column == columns || (newStage && stage > fitting && column > 0)) {
            column = 0;
            y += namedHeight + gap;
        }
        const double x = double(column++) * (width + gap);
        const double dark = shade.of(cells[i]);
        const double middle = x + width / 2;
        list.items.emplace_back(FillRect{x, y, width, namedHeight, Ink::Accent, 4, false, dark});
        list.items.emplace_back(DrawText{middle, y + 17,
                                         "rank " + std::to_string(cells[i].rank.value), Ink::Accent,
                                         11, Align::Centre, true, true, dark});
        list.items.emplace_back(DrawText{middle, y + 34, units::bytes(cells[i].bytes), Ink::Accent,
                                         11, Align::Centre, false, true, dark});
    }
    list.height = y + namedHeight;
}

std::string nameOf(const MemoryCell& cell)
{
    return "rank " + std::to_string(cell.rank.value) + ", " + units::bytes(cell.bytes);
}

void addSmallCells(DisplayList& list, const std::vector<MemoryCell>& cells)
{
    constexpr double left = 44;
    const Shade shade(cells);
    const double smallCell = std::clamp(
        (list.width - left) / double(cellsPerStage(cells)) - smallGap, smallestCell, largestCell);
    double x = left;
    double y = 0;
    int stage = -1;
    for (const MemoryCell& cell : cells) {
        const bool newStage = cell.at.pipeline != stage;
        if (newStage || x + smallCell > list.width) {
            y += stage < 0 ? 0 : smallCell + (newStage ? 3 * smallGap : smallGap);
            x = left;
        }
        if (newStage)
            list.items.emplace_back(DrawText{
                0, y + smallCell / 2, "pp" + std::to_string(cell.at.pipeline), Ink::MutedText, 10});
        stage = cell.at.pipeline;
        list.items.emplace_back(
            FillRect{x, y, smallCell, smallCell, Ink::Accent, 2, false, shade.of(cell)});
        x += smallCell + smallGap;
    }
    const auto [least, most] = std::minmax_element(
        cells.begin(), cells.end(),
        [](const MemoryCell& a, const MemoryCell& b) { return a.bytes < b.bytes; });
    const std::string fullest = "fullest: " + nameOf(*most);
    const std::string emptiest = "emptiest: " + nameOf(*least);
    const double side = textWidth(fullest, 11) + 16;
    const bool oneLine = side + textWidth(emptiest, 11) <= list.width;
    y += smallCell + 14;
    list.items.emplace_back(DrawText{0, y, fullest, Ink::MutedText, 11});
    y += oneLine ? 0 : 16;
    list.items.emplace_back(DrawText{oneLine ? side : 0, y, emptiest, Ink::MutedText, 11});
    list.height = y + 10;
}

} // namespace

DisplayList drawMemoryMap(std::vector<MemoryCell> cells, double width)
{
    DisplayList list;
    list.width = width;
    if (cells.empty()) {
        list.height = 28;
        list.items.emplace_back(DrawText{0, 14, "No memory samples recorded", Ink::MutedText});
        return list;
    }
    std::sort(cells.begin(), cells.end(), [](const MemoryCell& a, const MemoryCell& b) {
        return std::tuple(a.at.pipeline, a.at.data, a.at.tensor, a.rank.value) <
               std::tuple(b.at.pipeline, b.at.data, b.at.tensor, b.rank.value);
    });
    if (cells.size() <= mostNamedCells)
        addNamedCells(list, cells);
    else
        addSmallCells(list, cells);
    return list;
}

} // namespace triaxis
