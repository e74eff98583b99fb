#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"

#include <algorithm>

namespace triaxis
{
namespace
{

constexpr double wholeWidth = 1190;
constexpr std::size_t mostOpenRows = 16; // longer tables are folded

std::string rowOf(const RankMemory& memory)
{
    std::string row = "<tr><td>rank " + std::to_string(memory.rank.value) + "</td><td>" +
                      escapedXml(toText(memory.at)) + "</td>";
    for (const std::int64_t bytes : memory.peak)
        row += "<td class=\"n\">" + escapedXml(units::bytes(bytes)) + "</td>";
    return row + "<td class=\"n\"><strong>" + escapedXml(units::bytes(memory.peakTotal)) +
           "</strong></td></tr>\n";
}

std::string tableOf(const std::vector<RankMemory>& ranks)
{
    std::string table = "<div class=\"scroll\"><table><thead><tr><th>Rank</th><th>Place</th>";
    for (int c = 0; c < memoryCategoryCount; ++c)
        table += "<th class=\"n\">" + std::string(toText(MemoryCategory(c))) + "</th>";
    table += "<th class=\"n\">peak of the sum</th></tr></thead><tbody>\n";
    for (const RankMemory& memory : ranks)
        table += rowOf(memory);
    return table + "</tbody></table></div>\n";
}

} // namespace

std::string memorySection(const ReportInput& input)
{
    std::vector<MemoryCell> cells;
    for (const RankMemory& memory : input.facts.memory)
        cells.push_back({memory.rank, memory.at, memory.peakTotal});
    input.paint.nextPicture();
    std::string body =
        svgOf(drawMemoryMap(cells, wholeWidth), input.paint, "Peak memory of every rank");
    if (!cells.empty()) {
        body += paragraph("Peak of each category by itself; the categories need not peak at the "
                          "same time, so that the peak of "
                          "the sum can be less than the sum of the peaks.",
                          "note");
        const std::string table = tableOf(input.facts.memory);
        body += cells.size() <= mostOpenRows
                    ? table
                    : "<details><summary>Memory by category of all " +
                          std::to_string(cells.size()) + " ranks</summary>" + table + "</details>";
    }
    return panel("Memory of every rank", "peak · grouped by stage", body);
}

} // namespace triaxis
