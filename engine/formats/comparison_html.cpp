#include "engine/formats/comparison_html.h"

#include "engine/compare/loss_comparison.h"
#include "engine/compare/metric_rows.h"
#include "engine/compare/setting_diff.h"
#include "engine/core/csv_table.h"
#include "engine/formats/html_report_sections.h"
#include "engine/formats/html_report_style.h"
#include "engine/record/step_figures.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>

namespace triaxis
{
namespace
{

constexpr double wholeWidth = 1190;
constexpr double chartHeight = 260;
constexpr int mostLanes = 64;            // of a timeline; larger layouts are given by their figures
constexpr std::size_t mostTimelines = 8; // on one page

std::string cell(const std::string& text, const char* kind = "n")
{
    return "<td class=\"" + std::string(kind) + "\">" + escapedXml(text) + "</td>";
}

std::string headCell(const std::string& text)
{
    return "<th class=\"n\">" + escapedXml(text) + "</th>";
}

std::string runsPanel(const std::vector<ComparedRun>& runs)
{
    std::string body =
        "<div "
        "class=\"scroll\"><table><thead><tr><th>run</th><th>id</th><th>source</th><th>model</th>"
        "<th>layout</th><th>schedule</th><th>host</th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ComparedRun& run = runs[i];
        const bool measured = run.source == FigureSource::Measured;
        body += "<tr>" + cell(letteredName(runs, i), "") + cell(run.id, "") +
                cell(measured ? std::string(toText(run.source)) + ", " + toText(run.state)
                              : toText(run.source),
                     "") +
                cell(run.plan.model.name, "") + cell(toText(run.plan.layout), "") +
                cell(run.plan.training.schedule, "") +
                cell(run.environment.host.empty() ? "–" : run.environment.host, "") + "</tr>\n";
    }
    return panel("Runs", "the others are compared with the first",
                 body + "</tbody></table></div>\n");
}

std::string valueCell(const MetricRow& row, std::size_t i)
{
    const MetricValue& value = row.values[i];
    std::string html = "<td class=\"n\"><strong>" +
                       escapedXml(metricText(row.metric, value.spread.middle)) + "</strong>";
    if (value.spread.values > 1)
        html += "<br/><span class=\"note\">" +
                escapedXml(metricText(row.metric, value.spread.lower) + " – " +
                           metricText(row.metric, value.spread.upper)) +
                "</span>";
    const std::string change = i > 0 ? changeText(row.metric, value) : std::string();
    if (!change.empty())
        html += "<br/>" + escapedXml(change) +
                (value.withinSpread ? " <span class=\"note\">within the spread</span>" : "");
    return html + "</td>";
}

std::string metricsPanel(const std::vector<ComparedRun>& runs)
{
    std::string body = "<div class=\"scroll\"><table><thead><tr><th>figure</th>";
    for (std::size_t i = 0; i < runs.size(); ++i)
        body += headCell(letteredName(runs, i));
    body += "</tr></thead><tbody>\n";
    for (const MetricRow& row : metricRows(runs)) {
        body += "<tr><td>" + std::string(toText(row.metric)) + "<br/><span class=\"note\">" +
                escapedXml(definitionOf(row.metric)) + "</span></td>";
        for (std::size_t i = 0; i < row.values.size(); ++i)
            body += valueCell(row, i);
        body += "</tr>\n";
    }
    return panel("Figures", "median, the middle half, and the change",
                 body + "</tbody></table></div>\n");
}

std::string lossLine(const std::vector<ComparedRun>& runs, std::size_t i)
{
    const LossComparison loss = compareLosses(runs[i], runs.front());
    const std::string name = letteredName(runs, i);
    if (!loss.otherTraining.empty())
        return name + ": losses need not agree, the runs differ in: " + loss.otherTraining + ".";
    if (loss.steps == 0)
        return name + ": no step in common.";
    return name + ": the same training; over " + std::to_string(loss.steps) +
           " steps losses differ by at most " + shortText(100 * loss.worst, 7) + "\u202f% (step " +
           std::to_string(loss.worstStep) + "; rounding explains " +
           shortText(100 * loss.bound, 5) + "\u202f% there): " +
           (loss.agrees() ? "they agree."
                          : "they do not agree, one of the layouts computes something else.");
}

std::string lossPanelOf(const std::vector<ComparedRun>& runs)
{
    std::string body;
    for (std::size_t i = 1; i < runs.size(); ++i)
        body += paragraph(lossLine(runs, i));
    return body.empty() ? body
                        : panel("Do they compute the same?",
                                "largest relative difference of the losses", body);
}

using StepValue = double (*)(const StepResult&);

std::string curvesPanel(const std::vector<ComparedRun>& runs, const char* title, const char* unit,
                        StepValue value, ClassPaint& paint)
{
    LineChart chart;
    chart.xName = "step";
    chart.yName = unit;
    bool any = false;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        Curve curve{letteredName(runs, i), {}};
        for (const StepResult& step : runs[i].steps)
            curve.points.emplace_back(step.step, value(step));
        any = any || !curve.points.empty();
        chart.curves.push_back(std::move(curve));
    }
    if (!any)
        return {};
    paint.nextPicture();
    return panel(title, unit, svgOf(drawLineChart(chart, wholeWidth, chartHeight), paint, title));
}

const char* lossUnit(const std::vector<ComparedRun>& runs)
{
    const char* unit = runs.empty() ? "" : unitOfLoss(runs.front().plan);
    const bool same = std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
        return std::string_view(unitOfLoss(run.plan)) == unit;
    });
    return same ? unit : "nats per token or byte";
}

std::string timelinesPanel(const std::vector<ComparedRun>& runs, ClassPaint& paint)
{
    double longest = 0;
    for (const ComparedRun& run : runs)
        for (const Span& span : run.spans)
            longest = std::max(longest, span.end);
    std::string body;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ComparedRun& run = runs[i];
        if (run.spans.empty() || run.spansLayout.ranks() > mostLanes || shown == mostTimelines)
            continue;
        Lanes lanes(run.spansLayout);
        lanes.append(run.spans);
        TimelineView view;
        view.width = wholeWidth;
        view.from = 0;
        view.to = longest;
        paint.nextPicture();
        body += paragraph(letteredName(runs, i) + (run.source == FigureSource::Measured
                                                       ? ", step " + std::to_string(run.spansStep)
                                                       : ", predicted"),
                          "note");
        body += svgOf(drawTimeline(lanes, view), paint, "Timeline of " + run.name);
        ++shown;
    }
    if (shown == 0)
        return {};
    const bool all = shown == runs.size();
    return panel(
        "One step of each",
        "aligned at its begin, on one scale" +
            std::string(all ? ""
                            : "; layouts of more than 64 lanes, and more than eight, are left out"),
        "<div class=\"scroll\">" + body + "</div>");
}

std::string settingsPanel(const std::vector<ComparedRun>& runs, bool all)
{
    const std::vector<SettingRow> every = settingRows(runs);
    const std::vector<SettingRow> rows = all ? every : differences(every);
    std::string body;
    if (rows.empty())
        body = paragraph("Their settings are the same.", "note");
    else {
        body = "<div class=\"scroll\"><table><thead><tr><th>setting</th>";
        for (std::size_t i = 0; i < runs.size(); ++i)
            body += headCell(letteredName(runs, i));
        body += "</tr></thead><tbody>\n";
        for (const SettingRow& row : rows) {
            body += "<tr>" + cell(row.path, "");
            for (const std::string& value : row.values)
                body += cell(value.empty() ? "–" : value);
            body += "</tr>\n";
        }
        body += "</tbody></table></div>\n";
    }
    return panel("Settings",
                 all ? "all"
                     : std::to_string(rows.size()) + " of " + std::to_string(every.size()) +
                           " differ",
                 body);
}

} // namespace

std::string comparisonHtml(const std::vector<ComparedRun>& runs, bool allSettings)
{
    ClassPaint paint;
    std::string body =
        "<header><h1>Comparison of " + std::to_string(runs.size()) + " runs</h1></header>\n";
    body += runsPanel(runs) + metricsPanel(runs) + lossPanelOf(runs);
    body += curvesPanel(
        runs, "Loss", lossUnit(runs), [](const StepResult& step) { return step.loss; }, paint);
    body += curvesPanel(
        runs, "Step time", "seconds", [](const StepResult& step) { return step.seconds; }, paint);
    body += timelinesPanel(runs, paint) + settingsPanel(runs, allSettings);
    return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\"/>\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<meta "
           "name=\"generator\" content=\"Triaxis\"/>\n"
           "<title>Comparison of runs</title>\n<style>\n" +
           reportStyle(paint.rules(lightPalette()), paint.rules(darkPalette())) +
           "td{vertical-align:top}\n</style>\n</head>\n<body>\n<main>\n" + body +
           "</main>\n</body>\n</html>\n";
}

std::string comparisonCsv(const std::vector<ComparedRun>& runs)
{
    const auto number = [](double value) {
        return std::isfinite(value) ? exactText(value) : std::string();
    };
    std::string csv = "metric,run,name,source,range,median,lower_quartile,upper_quartile,values,"
                      "change,relative_change,within_spread\n";
    for (const MetricRow& row : metricRows(runs))
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const MetricValue& value = row.values[i];
            csv += std::string(toText(row.metric)) + "," + csvCell(runs[i].id) + "," +
                   csvCell(runs[i].name) + "," + toText(runs[i].source) + "," +
                   csvCell(rangeText(runs[i], row.metric)) + "," + number(value.spread.middle) +
                   "," + number(value.spread.lower) + "," + number(value.spread.upper) + "," +
                   std::to_string(value.spread.values) + "," + number(value.change) + "," +
                   number(value.relative) + "," +
                   (i > 0 ? (value.withinSpread ? "yes" : "no") : "") + "\n";
        }
    return csv;
}

} // namespace triaxis
