#include "app/cli/commands.h"
#include "app/cli/plan_options.h"
#include "app/cli/prediction_text.h"
#include "app/cli/report_output.h"
#include "app/cli/run_session.h"
#include "app/cli/self_check.h"
#include "engine/core/error.h"
#include "engine/data/complete_data.h"
#include "engine/formats/run_report.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

struct RunOptions
{
    PlanOptions plan;
    std::string runDirectory;
    std::string checkAgainst;
    std::string report;
    std::string language = "en";
    bool json = false;
    bool quiet = false;
    bool predict = false;
};

std::unique_ptr<RunPrinter> printerFor(const RunOptions& options)
{
    if (options.json)
        return makeJsonPrinter();
    return options.quiet ? makeQuietPrinter() : makeTablePrinter();
}

int run(const RunOptions& options)
{
    const auto printer = printerFor(options);
    if (!options.runDirectory.empty()) {
        RunDirectory directory = RunDirectory::open(options.runDirectory);
        if (directory.status().state != RunState::Draft)
            throw Error("cannot start the run", directory.path().string() + " has been run already",
                        "start a new one: triaxis run --plan " + (directory.path() / "run.json").string());
        completeDraft(directory);
        return exitCodeOf(runToEnd(directory, *printer));
    }
    std::vector<std::string> notes;
    RunPlan plan = planFrom(options.plan, notes);
    for (const std::string& note : notes)
        std::fprintf(stderr, "triaxis: %s\n", note.c_str());
    if (!reportDiagnostics(plan))
        return BadUsage;
    if (!options.report.empty())
        writeReport(options.report, reportFormatOf(options.report),
                    plannedReport(plan, predictRun(plan, {}, triaxisHome()), options.plan.planFile),
                    {.language = options.language});
    if (options.predict)
        return printPrediction(plan, options.json);
    completeData(plan);
    if (!options.checkAgainst.empty())
        return checkAgainst(plan, options.checkAgainst, options.json);
    RunDirectory directory = makeRun(triaxisHome(), plan);
    return exitCodeOf(runToEnd(directory, *printer));
}

} // namespace

void addRunCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand("run", "Train a model in a layout, for real, through MPI");
    command->footer("Example: triaxis run --model gpt2-1m --data /usr/share/common-licenses/GPL-3 --dp 2 --tp 2 --pp 2\n"
                    "Exit status: 0 finished, 1 failed, 2 the plan cannot run, 130 stopped.");
    const auto options = std::make_shared<RunOptions>();
    addPlanOptions(*command, options->plan);
    command->add_option("--run-directory", options->runDirectory, "Run the draft that lies in this run directory");
    command->add_option("--check-against", options->checkAgainst,
                        "Run a few steps here and in layout DPxTPxPP (1x1x1), and compare loss and every gradient");
    CLI::Option* predict =
        command->add_flag("--predict", options->predict,
                      "Run nothing: print what this machine would take, after triaxis calibrate");
    command
        ->add_option("--report", options->report,
                     "With --predict: also write what is predicted as a report, .html or .pdf")
        ->needs(predict);
    addReportLanguage(*command, options->language);
    command->add_flag("--json", options->json, "One JSON object a step on standard output");
    command->add_flag("--quiet", options->quiet, "Print nothing but errors");
    command->callback([options, &exitCode] { exitCode = run(*options); });
}

} // namespace triaxis::cli
