#include "engine/formats/sweep_html.h"

#include "engine/core/units.h"
#include "engine/formats/glossary.h"
#include "engine/formats/report_html.h"
#include "engine/formats/run_report_sections.h"
#include "engine/sweep/sweep_layouts.h"
#include "engine/timeline/number_text.h"

#include <cmath>

namespace triaxis
{
namespace
{

std::string value(double number)
{
    return std::isfinite(number) ? exactText(number) : std::string();
}

std::string secondsText(double seconds)
{
    return std::isfinite(seconds) ? units::seconds(seconds) : "–";
}

std::string communicationText(const CommunicationShare& share)
{
    if (!std::isfinite(share.total()))
        return "–";
    return columnShare(share.total()) + " (" + columnShare(share.tensor) + " · " +
           columnShare(share.pipeline) + " · " + columnShare(share.data) + ")";
}

std::vector<ReportCell> rowOf(const SweepRow& row)
{
    const std::string ranks = std::to_string(row.layout.ranks());
    std::vector<ReportCell> cells{{sizesText(row.layout), ""}, {ranks, ranks}};
    if (!row.measured()) {
        cells.resize(10, {"–", ""});
        cells[0].note = row.reason;
        return cells;
    }
    cells.push_back({units::count(row.tokensPerSecond), value(row.tokensPerSecond)});
    cells.push_back({secondsText(row.stepSeconds), value(row.stepSeconds)});
    cells.push_back({secondsText(row.fastest) + " – " + secondsText(row.slowest),
                     value(row.slowest - row.fastest)});
    cells.push_back(
        {std::isfinite(row.memoryBytes) ? units::bytes(std::int64_t(row.memoryBytes)) : "–",
         value(row.memoryBytes)});
    cells.push_back({communicationText(row.communication), value(row.communication.total())});
    cells.push_back({columnShare(row.bubble), value(row.bubble)});
    cells.push_back(
        {std::isfinite(row.speedUp) ? "×" + figureText(row.speedUp, 2) : "–", value(row.speedUp)});
    cells.push_back({columnShare(row.efficiency), value(row.efficiency)});
    return cells;
}

ReportTable tableOf(const SweepTable& table)
{
    ReportTable made{std::string("sweep-") + toText(table.form),
                     "",
                     {{"layout", "layout", "", false},
                      {"ranks", "ranks", "count"},
                      {"tokens_per_s", "tokens/s", "per second"},
                      {"step_s", "step"},
                      {"middle_half_s", "middle half"},
                      {"memory_bytes", "memory a rank"},
                      {"communication_share", "communication (tensor · pipeline · data)"},
                      {"bubble_share", "bubble"},
                      {"speed_up", "speed-up", "ratio"},
                      {"efficiency_share", "efficiency"}}};
    for (const SweepRow& row : table.rows)
        made.rows.push_back(rowOf(row));
    return made;
}

} // namespace

ReportDocument sweepReport(const std::string& title, const std::string& subtitle,
                           const std::vector<SweepTable>& tables)
{
    ReportDocument report{title, {subtitle}};
    for (const SweepTable& table : tables) {
        ReportSection section{table.title, ""};
        for (const std::string& note : table.notes)
            section.blocks.emplace_back(ReportParagraph{note, ReportTone::Note});
        section.blocks.emplace_back(ReportPicture{
            std::string("scaling-") + toText(table.form), "Speed-up of each layout, " + table.title,
            [table](double width) { return drawScaling(table, width); }});
        section.blocks.emplace_back(tableOf(table));
        report.sections.push_back(std::move(section));
    }
    ReportSection method{"How this was made", ""};
    method.blocks.emplace_back(
        ReportParagraph{"Layouts are data × tensor × pipeline ranks.", ReportTone::Note});
    ReportTerms terms;
    for (const char* id : {"step-time", "middle-half", "tokens-per-second", "memory",
                           "communication-share", "bubble", "speed-up", "efficiency"})
        terms.terms.push_back(definedTerm(id));
    method.blocks.emplace_back(std::move(terms));
    report.sections.push_back(std::move(method));
    return report;
}

ReportDocument sweepReport(const std::vector<SweepTable>& tables)
{
    return sweepReport("Sweep over layouts",
                       "data × tensor × pipeline ranks, one layout after the other", tables);
}

std::string sweepHtml(const std::string& title, const std::string& subtitle,
                      const std::vector<SweepTable>& tables)
{
    return reportHtml(sweepReport(title, subtitle, tables));
}

} // namespace triaxis
