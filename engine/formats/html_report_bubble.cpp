#include "engine/formats/html_report_sections.h"
#include "engine/schedule/generators.h"
#include "engine/timeline/number_text.h"

#include <cmath>

namespace triaxis
{
namespace
{

constexpr double pictureWidth = 572;

std::string percentText(double fraction)
{
    return std::isfinite(fraction) ? fixedText(100 * fraction, 1) + "\u202f%" : "–";
}

std::string cell(const std::string& text)
{
    return "<td class=\"n\">" + escapedXml(text) + "</td>";
}

std::string headings(std::initializer_list<const char*> names)
{
    std::string row = "<table><thead><tr><th>Stage</th>";
    for (const char* name : names)
        row += "<th class=\"n\">" + escapedXml(name) + "</th>";
    return row + "</tr></thead><tbody>\n";
}

/// Share of one stage in a closed form: idle over work, or over the window.
double closedShare(const std::vector<double>& idle, double work, std::size_t stage, bool ofWindow)
{
    if (idle.empty() || !(work > 0))
        return ReportFacts::none;
    return idle[stage] / (work + (ofWindow ? idle[stage] : 0));
}

std::string bothText(double measured, double closed)
{
    return percentText(measured) + " | " + percentText(closed);
}

std::string ratesTable(const RunBubble& bubble)
{
    std::string table = headings({"Idle over ideal", "Idle over step", "In its own window"});
    const ClosedForm& form = bubble.form;
    for (std::size_t stage = 0; stage < bubble.byStage.size(); ++stage) {
        const BubbleRates& rates = bubble.byStage[stage];
        table +=
            "<tr><td>stage " + std::to_string(stage) + "</td>" +
            cell(bothText(rates.overIdeal, closedShare(form.idle, form.work, stage, false))) +
            cell(bothText(rates.overMakespan, closedShare(form.idle, form.work, stage, true))) +
            cell(bothText(rates.ownOverMakespan,
                          closedShare(form.idleOwn, form.work, stage, true))) +
            "</tr>\n";
    }
    return table + "</tbody></table>\n";
}

std::string splitTable(const std::vector<BubbleRow>& rows)
{
    std::string table = headings({"Warm-up", "Steady", "Peer", "Transfer", "Cool-down", "Tail"});
    for (const BubbleRow& row : rows) {
        table += "<tr><td>" + escapedXml(row.name) + "</td>";
        for (const double share : {row.share.warmUp, row.share.steady, row.share.peerWait,
                                   row.share.exposedTransfer, row.share.coolDown, row.share.tail})
            table += cell(percentText(share));
        table += "</tr>\n";
    }
    return table + "</tbody></table>\n";
}

std::string formText(const ReportInput& input)
{
    const RunBubble& bubble = input.facts.bubble;
    const std::string name = scheduleTitle(input.plan.training.schedule);
    if (bubble.form.idle.empty())
        return name + ", " + bubble.assumes + ": " + bubble.form.idleText + ".";
    return "Closed form of " + name + ", transfers free and stages even: a stage idles " +
           bubble.form.idleText + ", " + bubble.assumes + ".";
}

} // namespace

std::string bubblePanel(const ReportInput& input)
{
    const ReportFacts& facts = input.facts;
    input.paint.nextPicture();
    std::string body =
        svgOf(drawBubbleBars(facts.bubbleRows, pictureWidth), input.paint, "Bubble by stage");
    body += paragraph(
        "Bubble: idle time of a stage's compute lane over the step without its tail. "
        "A bar shows all of the step that is not compute, tensor collectives and tail included.",
        "note");
    if (!facts.bubbleRows.empty()) {
        body += ratesTable(facts.bubble);
        body += paragraph("Its own window reaches from a stage's first to its last compute; the "
                          "step begins and ends on "
                          "all stages together.",
                          "note");
        body += splitTable(facts.bubbleRows);
        body += paragraph("Shares of the whole step. Peer: waiting for a peer; transfer: exposed "
                          "communication; tail: "
                          "gradient reduction, norm, optimizer, loss.",
                          "note");
    }
    body += paragraph(formText(input), "note");
    return panel("Bubble by stage",
                 (facts.bubble.step >= 0 ? "step " + std::to_string(facts.bubble.step) + ", "
                                         : std::string()) +
                     "measured | closed form",
                 body);
}

} // namespace triaxis
