#include "engine/formats/run_report_sections.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/layout_picture.h"

#include <map>

namespace triaxis
{
namespace
{

/// "host:0" of each rank that said where it runs, counted on each host.
std::vector<std::string> placesOf(const ReportInput& input)
{
    std::map<int, std::string> hosts;
    for (const HelloRecord& hello : input.records.all.hellos)
        hosts[hello.rank.value] = hello.host;
    std::vector<std::string> places(std::size_t(std::max(0, input.plan.layout.ranks())));
    std::map<std::string, int> onHost;
    for (const auto& [rank, host] : hosts)
        if (rank >= 0 && std::size_t(rank) < places.size() && !host.empty())
            places[std::size_t(rank)] = host + ":" + std::to_string(onHost[host]++);
    return places;
}

ReportTable rankTable(const ReportInput& input, const std::vector<std::string>& places)
{
    ReportTable table{"ranks",
                      "Ranks",
                      {{"rank", "Rank", "", false},
                       {"data", "data", "coordinate"},
                       {"tensor", "tensor", "coordinate"},
                       {"pipeline", "pipeline", "coordinate"},
                       {"place", "Place", "", false}}};
    table.fileOnly = true;
    for (int rank = 0; rank < input.plan.layout.ranks(); ++rank) {
        const Coordinates at = coordinatesOf(input.plan.layout, Rank(rank));
        const auto number = [](int value) {
            return ReportCell{std::to_string(value), std::to_string(value)};
        };
        table.rows.push_back({number(rank),
                              number(at.data),
                              number(at.tensor),
                              number(at.pipeline),
                              {places[std::size_t(rank)], ""}});
    }
    return table;
}

} // namespace

void addLayout(ReportSections& sections, const ReportInput& input)
{
    const Layout& layout = input.plan.layout;
    const std::vector<std::string> places = placesOf(input);
    LayoutWords words;
    words.replica = "data %1";
    words.stage = "stage %1";
    words.rank = "rank %1";
    words.more = "and %1 more replicas like these";
    ReportSection section{"Layout",
                          filled("%1 · a block a replica, a row a pipeline stage, a cell a "
                                 "tensor rank · rank order %2",
                                 {toText(layout), toText(layout.order)})};
    section.blocks.emplace_back(ReportPicture{
        "layout", "Where every rank stands",
        [layout, places, words](double width) { return drawLayout(layout, places, width, words); },
        0, layout.ranks() > 16});
    section.blocks.emplace_back(rankTable(input, places));
    sections.push_back(std::move(section));
}

} // namespace triaxis
