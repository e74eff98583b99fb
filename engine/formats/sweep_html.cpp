#include "engine/formats/sweep_html.h"

#include "engine/core/units.h"
#include "engine/formats/html_report_sections.h"
#include "engine/formats/html_report_style.h"
#include "engine/sweep/sweep_layouts.h"

#include <cmath>

namespace triaxis
{
namespace
{

constexpr double chartWidth = 1190;

constexpr const char* methodText = "Layouts are data × tensor × pipeline ranks. Step: median over "
                                   "the steps, the first one left out, and the middle half of "
                                   "them. Communication: mean share of a step in which a rank does "
                                   "nothing but communicate, by axis: inside tensor "
                                   "collectives, exposed transfers between stages, and sums of "
                                   "gradients that nothing hides; waiting for another stage is "
                                   "the bubble. Bubble: idle share of the compute lanes over the "
                                   "step without its tail, mean over the stages. Memory: peak "
                                   "of the fullest rank. Speed-up: tokens/s over those of the "
                                   "layout with the fewest ranks; efficiency: speed-up over the "
                                   "ratio of ranks.";

std::string cell(const std::string& text, bool number = true)
{
    return std::string("<td") + (number ? " class=\"n\">" : ">") + escapedXml(text) + "</td>";
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

std::string rowOf(const SweepRow& row)
{
    std::string html =
        "<tr>" + cell(sizesText(row.layout), false) + cell(std::to_string(row.layout.ranks()));
    if (!row.measured())
        return html + "<td colspan=\"8\">" + escapedXml(row.reason) + "</td></tr>\n";
    return html + cell(units::count(row.tokensPerSecond)) + cell(secondsText(row.stepSeconds)) +
           cell(secondsText(row.fastest) + " – " + secondsText(row.slowest)) +
           cell(std::isfinite(row.memoryBytes) ? units::bytes(std::int64_t(row.memoryBytes))
                                               : "–") +
           cell(communicationText(row.communication)) + cell(columnShare(row.bubble)) +
           cell(std::isfinite(row.speedUp) ? "×" + figureText(row.speedUp, 2) : "–") +
           cell(columnShare(row.efficiency)) + "</tr>\n";
}

std::string tableOf(const SweepTable& table)
{
    std::string html = "<div class=\"scroll\"><table><thead><tr><th>layout</th>";
    for (const char* name :
         {"ranks", "tokens/s", "step", "middle half", "memory a rank",
          "communication (tensor · pipeline · data)", "bubble", "speed-up", "efficiency"})
        html += "<th class=\"n\">" + std::string(name) + "</th>";
    html += "</tr></thead><tbody>\n";
    for (const SweepRow& row : table.rows)
        html += rowOf(row);
    return html + "</tbody></table></div>\n";
}

std::string formPanel(const SweepTable& table, ClassPaint& paint)
{
    std::string body;
    for (const std::string& note : table.notes)
        body += paragraph(note, "note");
    paint.nextPicture();
    body += svgOf(drawScaling(table, chartWidth), paint, "Speed-up of each layout, " + table.title);
    return panel(table.title, "", body + tableOf(table));
}

} // namespace

std::string sweepHtml(const std::string& title, const std::string& subtitle,
                      const std::vector<SweepTable>& tables)
{
    ClassPaint paint;
    std::string body =
        "<header><h1>" + escapedXml(title) + "</h1>" + paragraph(subtitle) + "</header>\n";
    for (const SweepTable& table : tables)
        body += formPanel(table, paint);
    body += panel("How this was made", "", paragraph(methodText));
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>" +
           escapedXml(title) + "</title>\n<style>\n" +
           reportStyle(paint.rules(lightPalette()), paint.rules(darkPalette())) +
           "p+svg{margin-top:14px}.scroll{margin-top:12px}\n</style>\n</head>\n<body>\n<main>\n" +
           body + "</main>\n</body>\n</html>\n";
}

} // namespace triaxis
