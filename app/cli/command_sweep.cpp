#include "app/cli/commands.h"
#include "app/cli/export_file.h"
#include "app/cli/report_output.h"
#include "app/cli/sweep_runs.h"
#include "app/cli/sweep_stream.h"
#include "app/cli/sweep_text.h"
#include "engine/core/error.h"
#include "engine/formats/model_shape.h"
#include "engine/formats/sweep_html.h"
#include "engine/formats/sweep_json.h"
#include "engine/sweep/sweep_layouts.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

constexpr int usualSequence = 1024;

struct SweepOptions
{
    PlanOptions plan;
    std::string layouts;
    std::string form = "both";
    std::string cluster = "dgx-a100";
    std::string model = "gpt2-medium";
    std::string profile = "megatron-core-2024";
    int sequence = usualSequence;
    double stretch = 0;
    std::string report, csv;
    std::string language = "en";
    bool json = false;
    bool lines = false; ///< JSON as it goes
    bool silent() const { return json || lines; }
};

/// What an exercise on a laptop takes unless it is told otherwise: seconds a layout.
void fillIn(PlanOptions& plan)
{
    const bool own = !plan.planFile.empty() || plan.batches;
    if (own)
        return;
    plan.globalBatch = plan.globalBatch.value_or(32);
    plan.microbatch = plan.microbatch.value_or(2);
    plan.sequence = plan.sequence.value_or(64);
    plan.steps = plan.steps.value_or(12);
}

std::vector<SweepForm> formsOf(const std::string& form)
{
    if (form == "cores")
        return {SweepForm::Cores};
    if (form == "paced")
        return {SweepForm::Paced};
    return {SweepForm::Cores, SweepForm::Paced};
}

SweepJob jobOf(const SweepOptions& options)
{
    if (options.plan.dp || options.plan.tp || options.plan.pp)
        throw Error("cannot sweep", "--dp, --tp and --pp give one layout",
                    "use --layouts, such as 1x1x1,4x1x1");
    if (options.plan.schedule.pace)
        throw Error("cannot sweep", "--pace gives every layout the same slots",
                    "use --as CLUSTER, which gives each layout its own");
    SweepJob job;
    job.plan = options.plan;
    fillIn(job.plan);
    job.layouts = options.layouts.empty() ? exerciseLayouts() : parseSweepLayouts(options.layouts);
    job.target.model = findModelShape(options.model);
    job.target.cluster = clusterPreset(options.cluster);
    job.target.software = softwareProfile(options.profile);
    job.target.sequence = options.sequence;
    job.targetName = job.target.model.name + " on " + options.cluster;
    if (options.stretch > 0)
        job.stretch = options.stretch;
    job.quiet = options.silent();
    if (options.lines)
        job.observer = streamingObserver();
    return job;
}

void writeFiles(const SweepOptions& options, const std::vector<SweepTable>& tables)
{
    const auto told = [&](const std::string& path) {
        if (path != "-" && !options.silent())
            std::printf("written: %s\n", std::filesystem::absolute(path).c_str());
    };
    if (!options.report.empty()) {
        writeReport(options.report, reportFormatOf(options.report),
                    sweepReport(tables), {.language = options.language});
        told(options.report);
    }
    if (!options.csv.empty()) {
        writeFile(options.csv, [&](std::ostream& out) { out << sweepCsv(tables); });
        told(options.csv);
    }
}

/// Every layout that could run was measured.
bool allMeasured(const std::vector<SweepTable>& tables)
{
    for (const SweepTable& table : tables)
        for (const SweepRow& row : table.rows)
            if (!row.measured())
                return false;
    return true;
}

int sweep(const SweepOptions& options)
{
    const SweepJob job = jobOf(options);
    bool interrupted = false;
    std::vector<SweepTable> tables;
    for (const SweepForm form : formsOf(options.form)) {
        if (interrupted)
            break;
        tables.push_back(runSweep(job, form, interrupted));
        if (options.lines)
            streamTable(tables.back());
        else if (!options.json)
            printSweep(tables.back());
    }
    if (options.json) {
        nlohmann::ordered_json all = nlohmann::ordered_json::array();
        for (const SweepTable& table : tables)
            all.push_back(toJson(table));
        std::printf("%s\n", all.dump().c_str());
    }
    writeFiles(options, tables);
    if (interrupted)
        return Interrupted;
    return allMeasured(tables) ? Success : RunFailed;
}

} // namespace

void addSweepCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command =
        app.add_subcommand("sweep", "Run several layouts one after the other and compare them");
    command->footer(
        "Without options: the exercise of one rank, DP 4, DP 2 x TP 2, PP 4 and DP 2 x PP 2, once "
        "on this machine's cores and once\n"
        "paced as GPUs. Every run is kept in the history.\n"
        "Example: triaxis sweep --layouts 1..4x1..2x1 --form paced --as dgx-h100 --report "
        "sweep.html\n"
        "Exit status: 0 all measured, 1 some layouts were not, 2 wrong options, 130 stopped.");
    const auto options = std::make_shared<SweepOptions>();
    const char* sweepGroup = "Sweep";
    command
        ->add_option("--layouts", options->layouts,
                     "Data x tensor x pipeline sizes, such as 1x1x1,4x1x1; a range doubles: "
                     "1..4x1..2x1 is a grid")
        ->group(sweepGroup);
    command
        ->add_option("--form", options->form,
                     "cores: as fast as this machine goes; paced: as GPUs would; both")
        ->check(CLI::IsMember({"cores", "paced", "both"}))
        ->capture_default_str()
        ->group(sweepGroup);
    command->add_option("--as", options->cluster, "Paced: cluster that the ranks stand for")
        ->capture_default_str()
        ->group(sweepGroup);
    command->add_option("--as-model", options->model, "Paced: model whose times the slots are")
        ->capture_default_str()
        ->group(sweepGroup);
    command->add_option("--as-sequence", options->sequence, "Paced: its tokens a sequence")
        ->check(CLI::Range(1, 1 << 24))
        ->capture_default_str()
        ->group(sweepGroup);
    command->add_option("--profile", options->profile, "Paced: software that trains it")
        ->capture_default_str()
        ->group(sweepGroup);
    command
        ->add_option(
            "--stretch", options->stretch,
            "Paced: seconds of the run for a second of the GPUs (default: found by a short trial)")
        ->check(CLI::Range(1e-3, 1e6))
        ->group(sweepGroup);
    command
        ->add_option("--report", options->report, "Write table and chart: one HTML page, or .pdf")
        ->group(sweepGroup);
    addReportLanguage(*command, options->language, sweepGroup);
    command->add_option("--csv", options->csv, "Write the table as CSV")->group(sweepGroup);
    command->add_flag("--json", options->json, "One JSON array of the forms on standard output")
        ->group(sweepGroup);
    command
        ->add_flag("--json-lines", options->lines,
                   "One JSON object a line as it goes: each step, each layout as it ends")
        ->excludes("--json")
        ->group(sweepGroup);
    addPlanOptions(*command, options->plan);
    command->callback([options, &exitCode] { exitCode = sweep(*options); });
}

} // namespace triaxis::cli
