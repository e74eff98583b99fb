#include "engine/formats/scoreboard_html.h"

#include "engine/core/units.h"
#include "engine/formats/html_panel.h"
#include "engine/formats/run_report_sections.h"
#include "engine/formats/report_style.h"
#include "engine/timeline/svg_writer.h"

#include <algorithm>
#include <set>

namespace triaxis
{
namespace
{

constexpr double pictureWidth = 300, pictureHeight = 240;

constexpr const char* scoreRules =
    R"(.score{display:grid;grid-template-columns:minmax(0,1fr) 300px;gap:16px 24px;align-items:start}
.score .figures{grid-template-columns:repeat(auto-fill,minmax(128px,1fr))}
.score .figures dd{font-size:16px}
.score .figures dd+dd{font-size:12px}
dl{margin:0}
.wide{min-width:860px}
.wide td:not(.n),.wide th:not(.n){padding-left:16px}
.wide td:first-child,.wide th:first-child{padding-left:0;min-width:200px}
.good{color:var(--accent)}
.bad{color:var(--alarm);font-weight:600}
a{color:var(--accent);text-decoration:none}
a:hover,a:focus{text-decoration:underline}
details ul{margin:6px 0 0;padding-left:18px}
details li{overflow-wrap:anywhere}
details .scroll{max-height:420px;overflow:auto;margin-top:6px}
@media(max-width:700px){.score{grid-template-columns:minmax(0,1fr)}.head{flex-wrap:wrap;gap:2px 16px}.head span{text-align:left}}
@media print{.score{grid-template-columns:minmax(0,1fr) 260px}details .scroll{max-height:none}.panel{break-inside:auto}}
)";

std::string percentOr(const std::optional<double>& share, const char* otherwise = "–")
{
    return share ? units::percent(*share) : otherwise;
}

std::string meanOf(const ErrorScore& error)
{
    return error.values > 0 ? units::percent(error.mean) : "–";
}

std::string quantityNames(const Validation& table)
{
    std::string names;
    for (const Quantity quantity : mainQuantities(table))
        names += (names.empty() ? "" : ", ") + std::string(toText(quantity));
    return names.empty() ? "–" : names;
}

/// A name that may stand in an address: letters, digits, "-" and "_".
std::string anchorOf(const std::string& name)
{
    std::string anchor = "t-";
    for (const char c : name) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '-' || c == '_';
        anchor += plain ? c : '-';
    }
    return anchor;
}

std::string cell(const std::string& text, const char* kind = "n")
{
    return "<td class=\"" + std::string(kind) + "\">" + escapedXml(text) + "</td>";
}

/// The mean error, coloured by its limit.
std::string errorCell(const Validation& table)
{
    const std::optional<double> limit = limitOf(table.table.name);
    if (!limit || table.model.error.values == 0)
        return cell(meanOf(table.model.error));
    return cell(meanOf(table.model.error), table.model.error.mean <= *limit ? "n good" : "n bad");
}

std::string overviewRow(const Validation& table)
{
    const std::optional<double> limit = limitOf(table.table.name);
    return "<tr><td><a href=\"#" + anchorOf(table.table.name) + "\">" +
           escapedXml(table.table.name) + "</a></td>" + errorCell(table) +
           cell(limit ? units::percent(*limit) : "–") +
           cell(table.model.error.values > 0 ? signedPercent(table.model.error.bias) : "–") +
           cell(percentOr(table.model.rank)) + cell(percentOr(table.model.pick)) +
           cell(table.halves ? figureText(table.halves->apart() * 100, 1) : "–") +
           cell(meanOf(table.baseline.error)) + cell(std::to_string(table.rows)) +
           cell(std::to_string(table.skipped)) +
           cell(percentOr(pricedShare(table.rows, table.stating))) +
           cell(quantityNames(table), "") + "</tr>\n";
}

std::string overview(const Scoreboard& board)
{
    if (board.tables.empty())
        return panel("Tables", "", paragraph("No table was scored.", "note"));
    std::string body = "<div class=\"scroll\"><table class=\"wide\">\n<thead><tr><th>table</th>";
    for (const char* name : {"mean error", "limit", "bias", "order", "pick", "halves", "baseline",
                             "priced", "skipped", "share"})
        body += "<th class=\"n\">" + std::string(name) + "</th>";
    body += "<th>figure</th></tr></thead>\n<tbody>\n";
    for (const Validation& table : board.tables)
        body += overviewRow(table);
    return panel("Tables",
                 "order: pairs of layouts of one problem in the right order · pick: how "
                 "much slower the layout is that is ranked first · halves: points between the "
                 "mean errors of the rows fitted on and those kept back · share: priced of the "
                 "rows that state what is needed",
                 body + "</tbody></table></div>\n");
}

std::string figure(const std::string& name, const std::string& value, const std::string& remark,
                   const char* kind = nullptr)
{
    return "<div><dt>" + escapedXml(name) + "</dt><dd" +
           (kind ? " class=\"" + std::string(kind) + "\"" : "") + ">" + escapedXml(value) +
           "</dd>" + (remark.empty() ? "" : "<dd>" + escapedXml(remark) + "</dd>") + "</div>\n";
}

std::string totals(const Scoreboard& board)
{
    const ScoreTotal total = totalOf(board);
    std::string body = "<dl class=\"figures\">\n";
    body += figure("tables", std::to_string(board.tables.size()),
                   std::to_string(board.unscored.size()) + " left out");
    body += figure("rows priced", std::to_string(total.rows),
                   percentOr(pricedShare(total.rows, total.stating)) +
                       " of those that state what is needed; " + std::to_string(total.skipped) +
                       " skipped");
    body += figure("mean error", meanOf(total.model.error),
                   std::to_string(total.model.error.values) + " figures; bias " +
                       (total.model.error.values ? signedPercent(total.model.error.bias) : "–"));
    body += figure("right order", percentOr(total.model.rank),
                   std::to_string(total.model.pairs) + " pairs");
    body += figure("baseline's error", meanOf(total.baseline), "one parameter a table");
    body += figure("limits kept",
                   std::to_string(total.withinLimits) + " of " + std::to_string(total.limits), "",
                   total.withinLimits < total.limits ? "bad" : nullptr);
    body += figure("halves agree",
                   std::to_string(total.halvesAgree) + " of " + std::to_string(total.halved),
                   "within " + figureText(halvesApart * 100, 0) + " points; tables of " +
                       std::to_string(halvesFrom) + " rows and more");
    return panel("All tables", "", body + "</dl>\n");
}

std::string figuresOf(const Validation& table)
{
    const Score& model = table.model;
    const std::optional<double> limit = limitOf(table.table.name);
    std::string body = "<dl class=\"figures\">\n";
    const std::optional<double> share = pricedShare(table.rows, table.stating);
    body +=
        figure("rows priced", std::to_string(table.rows),
               std::to_string(table.skipped) + " skipped" +
                   (share ? "; " + units::percent(*share) + " of those that state enough" : ""));
    if (model.error.values > 0) {
        const bool kept = limit && model.error.mean <= *limit;
        body += figure("mean error", meanOf(model.error),
                       limit ? "limit " + units::percent(*limit) : "no limit set",
                       limit ? (kept ? "good" : "bad") : nullptr);
        body += figure("bias", signedPercent(model.error.bias), "");
        body += figure("worst", signedPercent(model.error.worst),
                       "line " + std::to_string(worstRunOf(table).run->run.line));
    }
    if (table.halves)
        body += figure("halves", figureText(table.halves->apart() * 100, 1) + " points apart",
                       units::percent(table.halves->first.mean) + " fitted on, " +
                           units::percent(table.halves->second.mean) + " kept back");
    if (model.rank)
        body += figure("right order", units::percent(*model.rank),
                       std::to_string(model.pairs) + " pairs");
    if (model.pick)
        body += figure("picked layout", "+" + units::percent(*model.pick),
                       std::to_string(model.problems) + " problems");
    if (table.baseline.error.values > 0)
        body += figure("baseline", meanOf(table.baseline.error),
                       table.baseline.rank ? "order " + units::percent(*table.baseline.rank)
                                           : "one efficiency fitted");
    return body + "</dl>\n";
}

/// Second figures and out-of-memory rows, a line each.
std::string secondLines(const Validation& table)
{
    std::string body;
    for (const Quantity quantity : secondQuantities(table)) {
        if (quantity == Quantity::OutOfMemory)
            continue;
        const ErrorScore score = errorsOf(table, quantity);
        const bool rate = quantity == Quantity::BubbleRate;
        body += paragraph("Second figure, " + std::string(toText(quantity)) + ": " +
                              (rate ? "mean difference " + figureText(score.mean, 5)
                                    : "mean error " + units::percent(score.mean) + ", bias " +
                                          signedPercent(score.bias)) +
                              " (" + std::to_string(score.values) + " values).",
                          "note");
    }
    if (table.fit.runs > 0)
        body += paragraph("Fits in memory or not: " + std::to_string(table.fit.right) + " of " +
                              std::to_string(table.fit.runs) + " told right; of the " +
                              std::to_string(table.fit.outOfMemory) + " that did not fit, " +
                              std::to_string(table.fit.outOfMemoryRight) + ".",
                          "note");
    return body;
}

std::string profileLines(const Validation& table)
{
    std::string body;
    for (const SoftwareProfile& profile : profilesUsed(table)) {
        std::string text =
            "Profile " + profile.name + " (" + profile.title + "): " + profile.source;
        text += profile.fit.empty() ? "." : "; " + profile.fit + ".";
        body += paragraph(text + " Domain: " + domainText(profile) + ". Expected error " +
                              units::percent(profile.expectedError) + " there, " +
                              units::percent(std::max(profile.expectedError, errorOutsideDomain)) +
                              " outside.",
                          "note");
    }
    return body;
}

std::string folded(const std::string& summary, const std::string& body)
{
    return "<details><summary>" + escapedXml(summary) + "</summary>" + body + "</details>\n";
}

std::string rowsOf(const Validation& table)
{
    if (table.priced.empty())
        return {};
    std::string body =
        "<div class=\"scroll\"><table class=\"wide\"><thead><tr><th>run</th><th "
        "class=\"n\">line</th><th>figure</th><th class=\"n\">predicted</th><th "
        "class=\"n\">measured</th><th class=\"n\">error</th></tr></thead>\n<tbody>\n";
    for (const PricedCase& priced : table.priced) {
        for (const PricedTarget& target : priced.targets) {
            const Quantity quantity = target.target.quantity;
            body +=
                "<tr>" + cell(priced.run.label, "") + cell(std::to_string(priced.run.line)) +
                cell(std::string(toText(quantity)) + (target.target.main ? "" : " (second)"), "") +
                cell(measuredText(quantity, target.predicted)) +
                cell(measuredText(quantity, target.target.measured)) + cell(errorText(target)) +
                "</tr>\n";
        }
    }
    const std::string count = std::to_string(table.rows);
    return folded(count + (table.rows == 1 ? " row priced" : " rows priced"),
                  body + "</tbody></table></div>\n");
}

std::string skippedOf(const Validation& table)
{
    if (table.unpriced.empty())
        return {};
    std::string body = "<ul>\n";
    for (const UnpricedRow& row : table.unpriced)
        body += "<li>line " + std::to_string(row.line) + " (" + escapedXml(row.label) +
                "): " + escapedXml(row.reason) + "</li>\n";
    const std::string count = std::to_string(table.unpriced.size());
    return folded(count + (table.unpriced.size() == 1 ? " row skipped" : " rows skipped"),
                  body + "</ul>");
}

std::string listOf(const std::string& summary, const std::set<std::string>& lines)
{
    if (lines.empty())
        return {};
    std::string body = "<ul>\n";
    for (const std::string& line : lines)
        body += "<li>" + escapedXml(line) + "</li>\n";
    return folded(summary, body + "</ul>");
}

std::string tablePanel(const Validation& table, ClassPaint& paint)
{
    const std::vector<Quantity> quantities = mainQuantities(table);
    const Quantity shown = quantities.empty() ? Quantity::StepSeconds : quantities.front();
    paint.nextPicture();
    const std::string picture =
        svgOf(drawScatter(table, shown, pictureWidth, pictureHeight), paint,
              "Predicted over measured " + std::string(toText(shown)) + ", " + table.table.name);
    std::set<std::string> assumptions;
    for (const PricedCase& priced : table.priced)
        assumptions.insert(priced.run.assumptions.begin(), priced.run.assumptions.end());
    const std::string body =
        "<div class=\"score\"><div>" + figuresOf(table) + secondLines(table) + profileLines(table) +
        "</div><div>" + picture + "</div></div>\n" + rowsOf(table) + skippedOf(table) +
        listOf("Assumed: the table does not state it", assumptions) +
        listOf("Known of the source", {table.table.remarks.begin(), table.table.remarks.end()});
    return "<div id=\"" + anchorOf(table.table.name) + "\">" +
           panel(table.table.name, quantityNames(table) + " · format " + table.table.format, body) +
           "</div>\n";
}

std::string unscoredPanel(const Scoreboard& board)
{
    if (board.unscored.empty())
        return {};
    std::string body = "<ul>\n";
    for (const UnscoredTable& table : board.unscored)
        body += "<li>" + escapedXml(table.name) + ": " + escapedXml(table.reason) + "</li>\n";
    return panel("Left out", "files that are no tables of training runs",
                 folded(std::to_string(board.unscored.size()) + " files", body + "</ul>"));
}

constexpr const char* methodText =
    "Each row's model, cluster and layout are priced by the same cost model, with the constants of "
    "the software that ran it. Errors are predicted over measured, less one; their mean takes "
    "sizes "
    "without sign. The baseline beside it is the model's FLOPs over the devices' peak times one "
    "efficiency, fitted to the table it is scored on, times 1 + (PP − 1) / (m · v). In the "
    "pictures "
    "the solid line is equality, the dashed ones are 10% away from it.";

} // namespace

std::string scoreboardHtml(const Scoreboard& board)
{
    ClassPaint paint;
    std::string body = "<header><h1>Scoreboard</h1><p>Predicted beside measured training runs, as "
                       "Triaxis prices them</p></header>\n" +
                       totals(board) + overview(board);
    for (const Validation& table : board.tables)
        body += tablePanel(table, paint);
    body += unscoredPanel(board) + panel("How this was made", "", paragraph(methodText));
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
           "style-src 'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
           "<meta name=\"generator\" content=\"Triaxis\"/>\n<title>Triaxis scoreboard</title>\n"
           "<style>\n" +
           reportStyle(paint.rules(lightPalette()), paint.rules(darkPalette())) + scoreRules +
           "</style>\n</head>\n<body>\n<main>\n" + body + "</main>\n</body>\n</html>\n";
}

} // namespace triaxis
