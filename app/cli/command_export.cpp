#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "app/cli/report_output.h"
#include "engine/core/error.h"
#include "engine/formats/exports.h"
#include "engine/formats/report_language.h"
#include "engine/formats/run_report.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

struct ExportOptions
{
    std::string run = "last";
    std::string format;
    std::string output;
    std::string check;
    std::string table;
    ReportLook look;
    bool list = false;
    int firstStep = 0;
    int lastStep = -1;
    bool json = false;
};

/// ".trace.json", ".timeline.svg": behind the run's id where no file was named.
std::string endingOf(const std::string& format, const ExportOptions& options)
{
    if (format == "trace")
        return ".trace.json";
    if (format == "csv")
        return "." + (options.table.empty() ? "spans" : options.table) + ".csv";
    return (options.look.view.empty() ? "" : "." + options.look.view) + "." + format;
}

/// The format by its name, else by the ending of the output file, else by what is asked for.
std::string formatOf(const ExportOptions& options)
{
    if (!options.format.empty())
        return options.format;
    const std::filesystem::path output = options.output;
    if (output.extension() == ".json")
        return "trace";
    if (output.extension() == ".csv" || !options.table.empty())
        return "csv";
    const std::string format = reportFormatOf(output);
    return format.empty() ? (options.look.view.empty() ? "html" : "svg") : format;
}

/// What belongs together: a table is CSV, a view a picture. Sets the view of a picture that names
/// none.
void settle(ExportOptions& options, const std::string& format)
{
    if (!options.table.empty() && format != "csv")
        throw Error("cannot export the table", "--format " + format + " is none for tables",
                    "use --format csv");
    if (!options.look.view.empty() && (format == "html" || format == "csv" || format == "trace"))
        throw Error("cannot export the view", "--format " + format + " is none for pictures",
                    "use --format svg, png or pdf");
    if ((format == "svg" || format == "png") && options.look.view.empty())
        options.look.view = "timeline";
}

int checkTrace(const ExportOptions& options)
{
    std::ifstream in(options.check);
    if (!in)
        throw Error("cannot check the trace", options.check + " cannot be opened", "check the path");
    const std::vector<std::string> findings = checkChromeTrace(in);
    for (const std::string& finding : findings)
        std::fprintf(stderr, "triaxis: %s: %s\n", options.check.c_str(), finding.c_str());
    if (findings.empty())
        std::printf("%s is a sound trace: spans nest, flows lie in their slices, ids are integers, times relative\n",
                    options.check.c_str());
    return findings.empty() ? Success : RunFailed;
}

/// Names of what can be exported alone.
int listParts(const ReportDocument& report, bool json)
{
    nlohmann::ordered_json all{{"views", nlohmann::json::array()},
                               {"tables", nlohmann::json::array()}};
    if (!json)
        std::printf("views (--view, as svg, png or pdf):\n");
    for (const ReportPicture* picture : picturesOf(report)) {
        all["views"].push_back({{"name", picture->id}, {"title", picture->title}});
        if (!json)
            std::printf("  %-24s %s\n", picture->id.c_str(), picture->title.c_str());
    }
    if (!json)
        std::printf("tables (--table, as csv; without one csv is all spans):\n");
    for (const ReportTable* table : tablesOf(report)) {
        all["tables"].push_back(
            {{"name", table->id}, {"title", table->title}, {"rows", table->rows.size()}});
        if (!json)
            std::printf("  %-24s %s, %zu rows\n", table->id.c_str(), table->title.c_str(),
                        table->rows.size());
    }
    if (json)
        std::printf("%s\n", all.dump().c_str());
    return Success;
}

int exportRun(ExportOptions options)
{
    if (!options.check.empty())
        return checkTrace(options);
    if (options.lastStep >= 0 && options.lastStep < options.firstStep)
        throw Error("cannot export the run",
                    "--first-step " + std::to_string(options.firstStep) + " lies behind --last-step " +
                        std::to_string(options.lastStep),
                    "give the smaller step as --first-step");
    const std::string format = formatOf(options);
    settle(options, format);
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const RunSummary summary = history.run(options.run);
    const RunDirectory run = RunDirectory::open(summary.directory);
    const RunPlan plan = run.plan();
    const RunRecords records = readRun(run, options.firstStep, options.lastStep);
    const RunEnvironment environment = run.environment();
    const RunStatus status = run.status();
    const std::string output =
        options.output.empty() ? summary.id + endingOf(format, options) : options.output;
    const bool spans = format == "csv" && options.table.empty() && !options.list;
    if (format == "trace" || spans) {
        writeFile(output, [&](std::ostream& out) {
            if (spans)
                writeSpanCsv(out, plan, records);
            else
                writeChromeTrace(out, plan, records);
        });
    } else {
        const RunPrediction prediction = predictRun(plan, environment.host, triaxisHome());
        const ReportDocument english =
            runReport({plan, environment, status, records, &prediction, (run.path() / "run.json").string()});
        const ReportDocument report = spokenReport(english, Phrasebook::of(options.look.language));
        if (options.list)
            return listParts(report, options.json);
        if (format == "csv")
            writeFile(output, [&](std::ostream& out) {
                out << tableCsv(tableOf(report, options.table));
            });
        else
            writeReport(output, format, english, options.look);
    }
    if (output == "-")
        return Success;
    const std::string path = std::filesystem::absolute(output).string();
    if (options.json)
        std::printf("%s\n", nlohmann::json{{"file", path}, {"format", format}}.dump().c_str());
    else
        std::printf("%s\n%s", path.c_str(), format == "trace" ? "Open it in ui.perfetto.dev.\n" : "");
    return Success;
}

} // namespace

void addExportCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("export", "Write a stored run as report, picture, table or Chrome trace");
    command->footer("Examples: triaxis export last --format pdf --output run.pdf\n"
                    "          triaxis export last --view timeline --format svg\n"
                    "          triaxis export last --table memory --output memory.csv\n"
                    "          triaxis export last --format trace --output run.json, then open it in "
                    "ui.perfetto.dev");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("run", options->run, "Id, the beginning of one, or 'last'")->capture_default_str();
    command->add_option("--format", options->format,
                        "html or pdf: the report; svg, png or pdf: a view; csv: a table, or all spans; trace: Chrome "
                        "trace (default: by the ending of --output, else html)")
        ->check(CLI::IsMember({"html", "pdf", "svg", "png", "csv", "trace"}));
    command->add_option("--view", options->look.view,
                        "One view alone: layout, timeline, loss, step-time, bubble, memory, communication, …; see "
                        "--list (default of svg and png: timeline)");
    command->add_option("--table", options->table,
                        "One table alone, as CSV: steps, bubble, memory, communication, prediction-by-kind, …; see "
                        "--list");
    command->add_flag("--list", options->list, "Only list the views and tables that this run has");
    command->add_option("--paper", options->look.paper, "Pages of a PDF report: a4 or letter")
        ->check(CLI::IsMember({"a4", "letter"}))
        ->capture_default_str();
    command->add_option("--width", options->look.width, "Width of a view in pixels of 1/96 inch, 200 to 8000")
        ->check(CLI::Range(200.0, 8000.0))
        ->capture_default_str();
    command->add_option("-o,--output", options->output, "File to write; - for standard output");
    command->add_option("--first-step", options->firstStep, "Leave out spans of earlier steps");
    command->add_option("--last-step", options->lastStep, "Leave out spans of later steps");
    command->add_option("--language", options->look.language, "Language of the report: en or ru; traces and CSV are the same in both")
        ->check(CLI::IsMember({"en", "ru"}))
        ->capture_default_str();
    command->add_option("--check", options->check, "Check a trace file instead: nesting, flows, ids, times");
    command->add_flag("--json", options->json, "Say what was written as JSON");
    command->callback([options, &exitCode] { exitCode = exportRun(*options); });
}

} // namespace triaxis::cli
