#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/heat_map.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr std::size_t mostOpenRows = 16; // longer tables are folded
constexpr std::size_t mostHeatRows = 256;

ReportTable tableOf(const ReportInput& input)
{
    const std::vector<RankMemory>& ranks = input.facts.memory;
    ReportTable table{"memory",
                      "Peak memory by category",
                      {{"rank", "Rank", "", false}, {"place", "Place", "", false}}};
    for (int c = 0; c < memoryCategoryCount; ++c) {
        const std::string name = toText(MemoryCategory(c));
        table.columns.push_back({name + "_bytes", name.c_str(), ""});
    }
    table.columns.push_back({"peak_bytes", "peak of the sum", ""});
    for (const RankMemory& memory : ranks) {
        std::vector<ReportCell> row{{rankText(memory.rank), std::to_string(memory.rank.value)},
                                    {toText(memory.at), ""}};
        for (const std::int64_t bytes : memory.peak)
            row.push_back(bytesCell(bytes));
        row.push_back(bytesCell(memory.peakTotal));
        row.back().strong = true;
        table.rows.push_back(std::move(row));
    }
    table.folded = ranks.size() > mostOpenRows;
    if (table.folded)
        table.title = countedText("Memory by category of all %n ranks",
                                  "Memory by category of all %n rank", std::int64_t(ranks.size()));
    return table;
}

HeatMap heatMapOf(const ReportInput& input)
{
    HeatMap map;
    map.corner = "peak";
    for (int c = 0; c < memoryCategoryCount; ++c)
        map.columns.push_back(toText(MemoryCategory(c)));
    std::int64_t most = 0;
    for (const RankMemory& memory : input.facts.memory) {
        if (map.rows.size() == mostHeatRows)
            break;
        map.rows.push_back(rankText(memory.rank));
        for (const std::int64_t bytes : memory.peak) {
            map.values.push_back(double(bytes));
            map.texts.push_back(units::bytes(bytes));
            most = std::max(most, bytes);
        }
    }
    map.scale = filled("darkest: %1", {units::bytes(most)});
    if (map.rows.size() < input.facts.memory.size())
        map.scale +=
            " · " + filled("first %1 of %2 ranks", {std::to_string(map.rows.size()),
                                                    std::to_string(input.facts.memory.size())});
    return map;
}

} // namespace

void addMemory(ReportSections& sections, const ReportInput& input)
{
    std::vector<MemoryCell> cells;
    for (const RankMemory& memory : input.facts.memory)
        cells.push_back({memory.rank, memory.at, memory.peakTotal});
    ReportSection section{"Memory of every rank", "peak · grouped by stage"};
    section.blocks.emplace_back(ReportPicture{
        "memory-floor", "Peak memory of every rank",
        [cells](double width) { return drawMemoryMap(cells, width); }, 0, cells.size() > 64});
    if (!cells.empty()) {
        section.blocks.emplace_back(ReportPicture{
            "memory", "Peak memory by rank and category",
            [map = heatMapOf(input)](double width) { return drawHeatMap(map, width); }, 22});
        section.blocks.emplace_back(
            ReportParagraph{"Peak of each category by itself; the categories need not peak "
                            "at the same time, so that the peak of the sum can be less than "
                            "the sum of the peaks.",
                            ReportTone::Note});
        section.blocks.emplace_back(tableOf(input));
    }
    sections.push_back(std::move(section));
}

} // namespace triaxis
