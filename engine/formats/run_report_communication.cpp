#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/formats/run_report_sections.h"
#include "engine/timeline/communication_matrix.h"
#include "engine/timeline/heat_map.h"
#include "engine/timeline/number_text.h"

#include <array>
#include <cmath>
#include <map>

namespace triaxis
{
namespace
{

constexpr int mostRows = 64;

std::vector<TrafficLink> linksOf(const ReportInput& input)
{
    if (input.plan.layout.ranks() < 2)
        return {};
    std::vector<StepTraffic> steps;
    if (input.facts.bubble.step >= 0)
        steps.push_back(stepTraffic(input.facts.bubble.spans, input.plan.layout));
    try {
        return trafficLinks(programOf(input.plan), programInputs(input.plan), steps);
    } catch (const Error&) {
        return {}; // a later version refuses the plan
    }
}

std::string bytesText(double bytes)
{
    return units::bytes(std::int64_t(std::llround(bytes)));
}

HeatMap heatMapOf(const TrafficMatrix& matrix)
{
    HeatMap map;
    map.corner = "from ↓  to →";
    map.rows = matrix.names;
    map.columns = matrix.names;
    double most = 0;
    for (const TrafficMatrix::Cell& cell : matrix.cells) {
        map.values.push_back(cell.bytes);
        map.texts.push_back(bytesText(cell.bytes));
        most = std::max(most, cell.bytes);
    }
    map.scale = filled("darkest: %1 a step", {bytesText(most)});
    return map;
}

/// A row each pair of ranks and axis.
ReportTable linkTable(const std::vector<TrafficLink>& links)
{
    ReportTable table{"communication",
                      "Communication of a step by pair",
                      {{"from_rank", "From", "", false},
                       {"to_rank", "To", "", false},
                       {"axis", "Axis", "", false},
                       {"bytes", "Bytes"},
                       {"transfer_s", "Transfer"}}};
    table.fileOnly = true;
    for (const TrafficLink& link : links)
        table.rows.push_back({{std::to_string(link.from.value), ""},
                              {std::to_string(link.to.value), ""},
                              {toText(link.axis), ""},
                              {bytesText(link.bytes), exactText(link.bytes)},
                              link.seconds > 0 ? secondsCell(link.seconds) : ReportCell{"–", ""}});
    return table;
}

struct AxisSum
{
    double bytes = 0;
    double seconds = 0;
    std::size_t pairs = 0;
};

ReportTable axisTable(const std::vector<TrafficLink>& links)
{
    std::array<AxisSum, trafficAxisCount> sums;
    for (const TrafficLink& link : links) {
        AxisSum& sum = sums[std::size_t(link.axis)];
        sum.bytes += link.bytes;
        sum.seconds = std::max(sum.seconds, link.seconds);
        ++sum.pairs;
    }
    ReportTable table{"communication-by-axis",
                      "By axis",
                      {{"axis", "Axis", "", false},
                       {"pairs", "Pairs", "count"},
                       {"bytes", "Bytes of a step"},
                       {"longest_transfer_s", "Longest transfer"}}};
    for (int axis = 0; axis < trafficAxisCount; ++axis) {
        const AxisSum& sum = sums[std::size_t(axis)];
        if (sum.pairs > 0)
            table.rows.push_back(
                {{toText(TrafficAxis(axis)), toText(TrafficAxis(axis))},
                 {std::to_string(sum.pairs), std::to_string(sum.pairs)},
                 {bytesText(sum.bytes), exactText(sum.bytes)},
                 sum.seconds > 0 ? secondsCell(sum.seconds) : ReportCell{"–", ""}});
    }
    return table;
}

} // namespace

void addCommunication(ReportSections& sections, const ReportInput& input)
{
    const std::vector<TrafficLink> links = linksOf(input);
    if (links.empty())
        return;
    const Layout& layout = input.plan.layout;
    const TrafficFold fold = foldThatFits(layout, mostRows);
    ReportSection section{"Communication", fold == TrafficFold::Rank
                                               ? "bytes of a step, rank to rank"
                                               : "bytes of a step, ranks put together"};
    section.blocks.emplace_back(
        ReportPicture{"communication", "Bytes from each rank to each other",
                      [map = heatMapOf(trafficMatrix(links, layout, fold))](double width) {
                          return drawHeatMap(map, width);
                      },
                      22, fold == TrafficFold::Rank && layout.ranks() > 16});
    section.blocks.emplace_back(axisTable(links));
    section.blocks.emplace_back(linkTable(links));
    section.blocks.emplace_back(
        ReportParagraph{"Bytes by the program, transfers as measured in the step that stands "
                        "for the run, without waiting. Collectives are counted as rings: "
                        "each rank sends 2(n − 1)/n of the payload to the next of its group, "
                        "whichever algorithm the library takes.",
                        ReportTone::Note});
    sections.push_back(std::move(section));
}

} // namespace triaxis
