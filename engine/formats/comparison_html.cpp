#include "engine/formats/comparison_html.h"

#include "engine/compare/loss_comparison.h"
#include "engine/compare/metric_rows.h"
#include "engine/compare/setting_diff.h"
#include "engine/core/csv_table.h"
#include "engine/formats/report_html.h"
#include "engine/formats/run_report_sections.h"
#include "engine/record/step_figures.h"
#include "engine/timeline/charts.h"
#include "engine/timeline/number_text.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace triaxis
{
namespace
{

constexpr double chartHeight = 260;
constexpr int mostLanes = 64;            // of a timeline; larger layouts are given by their figures
constexpr std::size_t mostTimelines = 8; // on one page

ReportSection runsSection(const std::vector<ComparedRun>& runs)
{
    ReportTable table{"runs",
                      "",
                      {{"run", "run", "", false},
                       {"id", "id", "", false},
                       {"source", "source", "", false},
                       {"model", "model", "", false},
                       {"layout", "layout", "", false},
                       {"schedule", "schedule", "", false},
                       {"host", "host", "", false}}};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ComparedRun& run = runs[i];
        const bool measured = run.source == FigureSource::Measured;
        table.rows.push_back({{letteredName(runs, i), ""},
                              {run.id, ""},
                              {measured ? std::string(toText(run.source)) + ", " + toText(run.state)
                                        : toText(run.source),
                               ""},
                              {run.plan.model.name, ""},
                              {toText(run.plan.layout), ""},
                              {run.plan.training.schedule, ""},
                              {run.environment.host.empty() ? "–" : run.environment.host, ""}});
    }
    ReportSection section{"Runs", "the others are compared with the first"};
    section.blocks.emplace_back(std::move(table));
    return section;
}

ReportCell valueCell(const MetricRow& row, std::size_t i)
{
    const MetricValue& value = row.values[i];
    std::string note;
    if (value.spread.values > 1)
        note = metricText(row.metric, value.spread.lower) + " – " +
               metricText(row.metric, value.spread.upper);
    const std::string change = i > 0 ? changeText(row.metric, value) : std::string();
    if (!change.empty())
        note += (note.empty() ? "" : " · ") + change +
                (value.withinSpread ? ", within the spread" : "");
    return {metricText(row.metric, value.spread.middle),
            std::isfinite(value.spread.middle) ? exactText(value.spread.middle) : "", note, true};
}

ReportSection metricsSection(const std::vector<ComparedRun>& runs)
{
    ReportTable table{"metrics", "", {{"figure", "figure", "", false}}};
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.columns.push_back({runs[i].id, letteredName(runs, i)});
    for (const MetricRow& row : metricRows(runs)) {
        std::vector<ReportCell> cells{{toText(row.metric), "", definitionOf(row.metric)}};
        for (std::size_t i = 0; i < row.values.size(); ++i)
            cells.push_back(valueCell(row, i));
        table.rows.push_back(std::move(cells));
    }
    ReportSection section{"Figures", "median, the middle half, and the change"};
    section.blocks.emplace_back(std::move(table));
    return section;
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

void addLosses(std::vector<ReportSection>& sections, const std::vector<ComparedRun>& runs)
{
    ReportSection section{"Do they compute the same?", "largest relative difference of the losses"};
    for (std::size_t i = 1; i < runs.size(); ++i)
        section.blocks.emplace_back(ReportParagraph{lossLine(runs, i)});
    if (!section.blocks.empty())
        sections.push_back(std::move(section));
}

using StepValue = double (*)(const StepResult&);

void addCurves(std::vector<ReportSection>& sections, const std::vector<ComparedRun>& runs,
               const char* id, const char* title, const char* unit, StepValue value)
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
        return;
    ReportSection section{title, unit};
    section.blocks.emplace_back(ReportPicture{
        id, title, [chart](double width) { return drawLineChart(chart, width, chartHeight); }});
    sections.push_back(std::move(section));
}

const char* lossUnit(const std::vector<ComparedRun>& runs)
{
    const char* unit = runs.empty() ? "" : unitOfLoss(runs.front().plan);
    const bool same = std::all_of(runs.begin(), runs.end(), [&](const ComparedRun& run) {
        return std::string_view(unitOfLoss(run.plan)) == unit;
    });
    return same ? unit : "nats per token or byte";
}

void addTimelines(std::vector<ReportSection>& sections, const std::vector<ComparedRun>& runs)
{
    double longest = 0;
    for (const ComparedRun& run : runs)
        for (const Span& span : run.spans)
            longest = std::max(longest, span.end);
    ReportSection section{"One step of each", "aligned at its begin, on one scale"};
    std::size_t shown = 0;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const ComparedRun& run = runs[i];
        if (run.spans.empty() || run.spansLayout.ranks() > mostLanes || shown == mostTimelines)
            continue;
        const auto lanes = std::make_shared<Lanes>(run.spansLayout);
        lanes->append(run.spans);
        section.blocks.emplace_back(
            ReportParagraph{letteredName(runs, i) + (run.source == FigureSource::Measured
                                                         ? ", step " + std::to_string(run.spansStep)
                                                         : ", predicted"),
                            ReportTone::Note});
        section.blocks.emplace_back(ReportPicture{"timeline-" + std::to_string(i + 1),
                                                  "Timeline of " + run.name,
                                                  [lanes, longest](double width) {
                                                      TimelineView view;
                                                      view.width = width;
                                                      view.from = 0;
                                                      view.to = longest;
                                                      return drawTimeline(*lanes, view);
                                                  },
                                                  0, true});
        ++shown;
    }
    if (shown == 0)
        return;
    if (shown < runs.size())
        section.remark += "; layouts of more than 64 lanes, and more than eight, are left out";
    sections.push_back(std::move(section));
}

ReportSection settingsSection(const std::vector<ComparedRun>& runs, bool all)
{
    const std::vector<SettingRow> every = settingRows(runs);
    const std::vector<SettingRow> rows = all ? every : differences(every);
    ReportSection section{
        "Settings", all ? "all"
                        : filled("%1 of %2 differ",
                                 {std::to_string(rows.size()), std::to_string(every.size())})};
    if (rows.empty()) {
        section.blocks.emplace_back(
            ReportParagraph{"Their settings are the same.", ReportTone::Note});
        return section;
    }
    ReportTable table{"settings", "", {{"setting", "setting", "", false}}};
    for (std::size_t i = 0; i < runs.size(); ++i)
        table.columns.push_back({runs[i].id, letteredName(runs, i), "", false});
    for (const SettingRow& row : rows) {
        std::vector<ReportCell> cells{{row.path, ""}};
        for (const std::string& value : row.values)
            cells.push_back({value.empty() ? "–" : value, value});
        table.rows.push_back(std::move(cells));
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

} // namespace

ReportDocument comparisonReport(const std::vector<ComparedRun>& runs, bool allSettings)
{
    ReportDocument report{"Comparison of " + std::to_string(runs.size()) + " runs", {}};
    std::vector<ReportSection>& sections = report.sections;
    sections.push_back(runsSection(runs));
    sections.push_back(metricsSection(runs));
    addLosses(sections, runs);
    addCurves(sections, runs, "loss", "Loss", lossUnit(runs),
              [](const StepResult& step) { return step.loss; });
    addCurves(sections, runs, "step-time", "Step time", "seconds",
              [](const StepResult& step) { return step.seconds; });
    addTimelines(sections, runs);
    sections.push_back(settingsSection(runs, allSettings));
    return report;
}

std::string comparisonHtml(const std::vector<ComparedRun>& runs, bool allSettings)
{
    return reportHtml(comparisonReport(runs, allSettings));
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
