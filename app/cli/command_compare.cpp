#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "app/cli/json_number.h"
#include "app/cli/report_output.h"
#include "app/cli/text_columns.h"
#include "engine/compare/compared_prediction.h"
#include "engine/compare/loss_comparison.h"
#include "engine/compare/metric_rows.h"
#include "engine/compare/setting_diff.h"
#include "engine/core/error.h"
#include "engine/core/memory.h"
#include "engine/cost/machine_calibration.h"
#include "engine/formats/comparison_html.h"
#include "engine/formats/plan_file.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

constexpr std::size_t mostRuns = 200;
constexpr std::size_t nameWidth = 18;

struct CompareOptions
{
    std::vector<std::string> runs;
    std::string report, csv;
    std::string language = "en";
    bool all = false;
    bool json = false;
};

bool isPlanFile(const std::string& name)
{
    std::error_code ignored;
    return std::filesystem::path(name).extension() == ".triaxis" &&
           std::filesystem::is_regular_file(name, ignored);
}

ComparedRun predicted(const std::string& name)
{
    const PlanFile file = readPlanFile(name);
    for (const std::string& note : file.notes)
        std::fprintf(stderr, "triaxis: %s\n", note.c_str());
    MachineFacts machine;
    machine.calibration = loadCalibration(triaxisHome());
    return comparedPrediction(std::filesystem::path(name).filename().string(), file.plan, machine);
}

std::vector<ComparedRun> runsOf(const CompareOptions& options)
{
    if (options.runs.size() > mostRuns)
        throw Error("cannot compare so many runs",
                    std::to_string(options.runs.size()) + " were given",
                    "give at most " + std::to_string(mostRuns));
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    std::vector<ComparedRun> runs;
    for (const std::string& name : options.runs)
        runs.push_back(isPlanFile(name)
                           ? predicted(name)
                           : comparedRun(RunDirectory::open(history.run(name).directory)));
    return runs;
}

std::string changeOf(Metric metric, const MetricValue& value)
{
    const std::string change = changeText(metric, value);
    return change.empty() || !value.withinSpread ? change : change + " ≈";
}

/// Names that fit a column: what tells runs apart is rather at the end.
std::string shortName(const std::string& name)
{
    if (textColumns(name) <= nameWidth)
        return name;
    std::size_t at = name.size();
    for (std::size_t columns = 0; at > 0 && columns < nameWidth - 1;)
        columns += (static_cast<unsigned char>(name[--at]) & 0xc0) != 0x80;
    return "…" + name.substr(at);
}

void printCells(const std::string& head, const std::vector<std::string>& cells,
                std::size_t headWidth)
{
    std::string line = inColumn(head, headWidth, false);
    for (const std::string& text : cells)
        line += "  " + inColumn(text, nameWidth, true);
    std::printf("%s\n", line.c_str());
}

void printMetrics(const std::vector<ComparedRun>& runs)
{
    constexpr std::size_t head = 14;
    std::vector<std::string> names;
    for (const ComparedRun& run : runs)
        names.push_back(shortName(run.name));
    printCells("", names, head);
    for (const MetricRow& row : metricRows(runs)) {
        std::vector<std::string> middles, spreads, changes;
        bool anySpread = false;
        for (const MetricValue& value : row.values) {
            middles.push_back(metricText(row.metric, value.spread.middle));
            const bool spread = value.spread.values > 1;
            anySpread = anySpread || spread;
            spreads.push_back(spread ? metricText(row.metric, value.spread.lower) + "–" +
                                           metricText(row.metric, value.spread.upper)
                                     : std::string());
            changes.push_back(changeOf(row.metric, value));
        }
        printCells(toText(row.metric), middles, head);
        const bool changed = std::any_of(changes.begin(), changes.end(),
                                         [](const std::string& text) { return !text.empty(); });
        if (anySpread)
            printCells("  middle half", spreads, head);
        if (changed)
            printCells("  change", changes, head);
    }
    std::printf("\nchange: against the first run; ≈: the middle halves of both overlap\n");
}

void printLosses(const std::vector<ComparedRun>& runs)
{
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const LossComparison loss = compareLosses(runs[i], runs.front());
        if (!loss.otherTraining.empty() || loss.steps == 0)
            continue;
        std::printf("%s computes the same as %s: over %d steps losses differ by at most %.2g (step "
                    "%d; rounding explains %.2g): %s\n",
                    runs[i].name.c_str(), runs.front().name.c_str(), loss.steps, loss.worst,
                    loss.worstStep, loss.bound, loss.agrees() ? "they agree" : "they do NOT agree");
    }
}

void printSettings(const std::vector<ComparedRun>& runs, bool all)
{
    const std::vector<SettingRow> every = settingRows(runs);
    const std::vector<SettingRow> rows = all ? every : differences(every);
    std::printf("\nsettings: %zu of %zu differ\n", differences(every).size(), every.size());
    std::size_t head = 0;
    for (const SettingRow& row : rows)
        head = std::max(head, textColumns(row.path));
    for (const SettingRow& row : rows) {
        std::vector<std::string> values;
        for (const std::string& value : row.values)
            values.push_back(shortName(value.empty() ? "–" : value));
        printCells(row.path, values, head);
    }
}

nlohmann::ordered_json jsonOf(const std::vector<ComparedRun>& runs, bool all)
{
    nlohmann::ordered_json json;
    for (const ComparedRun& run : runs)
        json["runs"].push_back(
            {{"id", run.id}, {"name", run.name}, {"source", toText(run.source)}});
    for (const MetricRow& row : metricRows(runs)) {
        nlohmann::ordered_json values = nlohmann::ordered_json::array();
        for (const MetricValue& value : row.values)
            values.push_back({{"median", orNull(value.spread.middle)},
                              {"lower_quartile", orNull(value.spread.lower)},
                              {"upper_quartile", orNull(value.spread.upper)},
                              {"values", value.spread.values},
                              {"change", orNull(value.change)},
                              {"relative_change", orNull(value.relative)},
                              {"within_spread", value.withinSpread}});
        json["metrics"].push_back({{"metric", toText(row.metric)}, {"values", values}});
    }
    json["losses"] = nlohmann::ordered_json::array();
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const LossComparison loss = compareLosses(runs[i], runs.front());
        json["losses"].push_back({{"run", runs[i].id},
                                  {"other_training", loss.otherTraining},
                                  {"steps", loss.steps},
                                  {"worst", orNull(loss.worst)},
                                  {"worst_step", loss.worstStep},
                                  {"bound", orNull(loss.bound)},
                                  {"agrees", loss.agrees()}});
    }
    const std::vector<SettingRow> every = settingRows(runs);
    json["settings"] = nlohmann::ordered_json::object();
    for (const SettingRow& row : all ? every : differences(every))
        json["settings"][row.path] = row.values;
    return json;
}

int compare(const CompareOptions& options)
{
    const std::vector<ComparedRun> runs = runsOf(options);
    if (options.json) {
        std::printf("%s\n", jsonOf(runs, options.all).dump().c_str());
    } else {
        printMetrics(runs);
        printLosses(runs);
        printSettings(runs, options.all);
    }
    const auto told = [&](const std::string& path) {
        if (!options.json && path != "-")
            std::printf("written: %s\n", std::filesystem::absolute(path).c_str());
    };
    if (!options.report.empty()) {
        writeReport(options.report, reportFormatOf(options.report),
                    comparisonReport(runs, options.all), {.language = options.language});
        told(options.report);
    }
    if (!options.csv.empty()) {
        writeFile(options.csv, [&](std::ostream& out) { out << comparisonCsv(runs); });
        told(options.csv);
    }
    return Success;
}

} // namespace

void addCompareCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("compare", "Lay stored runs and predicted plans side by side");
    command->footer(
        "Example: triaxis compare last 20261130-1712 plan.triaxis --report comparison.html");
    const auto options = std::make_shared<CompareOptions>();
    command
        ->add_option("run", options->runs,
                     "Ids, beginnings of ids, 'last', or .triaxis files, which are predicted; the "
                     "first is what the others are compared with")
        ->required()
        ->expected(1, -1);
    command->add_flag("--all", options->all, "All settings, not only those that differ");
    command->add_option("--report", options->report,
                        "Write a report with curves and timelines: one HTML page, or .pdf");
    addReportLanguage(*command, options->language);
    command->add_option("--csv", options->csv, "Write the figures as CSV");
    command->add_flag("--json", options->json, "One JSON object");
    command->callback([options, &exitCode] { exitCode = compare(*options); });
}

} // namespace triaxis::cli
