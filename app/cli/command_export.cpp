#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "engine/core/error.h"
#include "engine/formats/exports.h"
#include "engine/language/translate_html.h"
#include "storage/history.h"

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
    std::string language = "en";
    int firstStep = 0;
    int lastStep = -1;
    bool json = false;
};

const char* extensionOf(const std::string& format)
{
    if (format == "trace")
        return ".trace.json";
    return format == "csv" ? ".spans.csv" : ".html";
}

/// The format by its name, else by the ending of the output file, else the report.
std::string formatOf(const ExportOptions& options)
{
    if (!options.format.empty())
        return options.format;
    const std::filesystem::path output = options.output;
    if (output.extension() == ".json")
        return "trace";
    return output.extension() == ".csv" ? "csv" : "html";
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

int exportRun(const ExportOptions& options)
{
    if (!options.check.empty())
        return checkTrace(options);
    if (options.lastStep >= 0 && options.lastStep < options.firstStep)
        throw Error("cannot export the run",
                    "--first-step " + std::to_string(options.firstStep) + " lies behind --last-step " +
                        std::to_string(options.lastStep),
                    "give the smaller step as --first-step");
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const RunSummary summary = history.run(options.run);
    const RunDirectory run = RunDirectory::open(summary.directory);
    const RunPlan plan = run.plan();
    const RunRecords records = readRun(run, options.firstStep, options.lastStep);
    const std::string format = formatOf(options);
    const std::string output = options.output.empty() ? summary.id + extensionOf(format) : options.output;
    writeFile(output, [&](std::ostream& out) {
        if (format == "trace")
            writeChromeTrace(out, plan, records);
        else if (format == "csv")
            writeSpanCsv(out, plan, records);
        else
            out << translateHtml(htmlReport(plan, run.environment(), run.status(), records),
                                 Phrasebook::of(options.language));
    });
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
    CLI::App* command = app.add_subcommand("export", "Write a stored run as HTML report, Chrome trace or CSV");
    command->footer("Example: triaxis export last --format trace --output run.json, then open it in ui.perfetto.dev");
    const auto options = std::make_shared<ExportOptions>();
    command->add_option("run", options->run, "Id, the beginning of one, or 'last'")->capture_default_str();
    command->add_option("--format", options->format, "html, trace or csv (default: by the ending of --output, else html)")
        ->check(CLI::IsMember({"html", "trace", "csv"}));
    command->add_option("-o,--output", options->output, "File to write; - for standard output");
    command->add_option("--first-step", options->firstStep, "Leave out spans of earlier steps");
    command->add_option("--last-step", options->lastStep, "Leave out spans of later steps");
    command->add_option("--language", options->language, "Language of the report: en or ru; traces and CSV are the same in both")
        ->check(CLI::IsMember({"en", "ru"}))
        ->capture_default_str();
    command->add_option("--check", options->check, "Check a trace file instead: nesting, flows, ids, times");
    command->add_flag("--json", options->json, "Say what was written as JSON");
    command->callback([options, &exitCode] { exitCode = exportRun(*options); });
}

} // namespace triaxis::cli
