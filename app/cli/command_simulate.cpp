#include "app/cli/commands.h"
#include "app/cli/disturbance_options.h"
#include "app/cli/export_file.h"
#include "app/cli/job_options.h"
#include "app/cli/parallel_options.h"
#include "app/cli/report_output.h"
#include "app/cli/simulate_result.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/formats/exports.h"
#include "engine/formats/plan_file.h"
#include "engine/formats/predicted_report.h"
#include "engine/simulate/critical_path.h"
#include "engine/simulate/memory_over_time.h"
#include "engine/simulate/path_collectives.h"
#include "engine/simulate/replay_recorded.h"
#include "engine/timeline/display_list.h"
#include "engine/timeline/metrics.h"
#include "storage/history.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <ostream>

namespace triaxis::cli
{
namespace
{

constexpr double pictureWidth = 1600;

struct SimulateOptions
{
    JobOptions job;
    ParallelOptions parallel;
    DisturbanceOptions disturbances;
    double whatIf = 0; ///< percent; 0: not asked for
    bool memory = false;
    std::string trace, svg, csv, report;
    std::string language = "en";
    std::string planFile;
    std::string replay;
    bool json = false;
};

/// A prediction dressed as a run of one pipeline, for what writes runs.
struct PredictedRun
{
    RunPlan plan;
    RunRecords records;
};

PredictedRun runOf(const TrainingJob& job, const ParallelPlan& plan, const SimulatedPlan& simulated,
                   const Prediction& prediction, const std::vector<MemoryParts>& memory)
{
    PredictedRun run;
    run.plan.label = "prediction";
    run.plan.model = activeModelOf(job.model, plan.tp);
    run.records.all.spans = asOnePipeline(prediction, run.plan.layout);
    run.plan.training.schedule = plan.schedule;
    run.plan.training.batch.globalBatch = int(plan.microbatches(job.globalBatch)) * plan.microbatch;
    run.plan.training.batch.microbatch = plan.microbatch;
    run.plan.training.batch.sequence = job.sequence;
    for (MemorySample sample : memoryOverTime(simulated, prediction, memory)) {
        sample.rank = Rank(coordinatesOf(prediction.layout, sample.rank).pipeline);
        run.records.all.memory.push_back(sample);
    }
    return run;
}

std::string timelineSvg(const PredictedRun& run)
{
    Lanes lanes(run.plan.layout);
    lanes.append(run.records.all.spans);
    TimelineView view;
    view.width = pictureWidth;
    view.from = lanes.begin();
    view.to = lanes.end();
    return toSvg(drawTimeline(lanes, view), lightPalette());
}

ReportDocument reportOf(const SimulateResult& result, const PredictedRun& run)
{
    return predictedReport({result.job, result.plan, result.estimate, result.seconds,
                            result.exposed, result.bubbles, result.memory, run.plan.layout,
                            run.records.all.spans});
}

std::vector<std::string> writeFiles(const SimulateOptions& options, const SimulateResult& result,
                                    const PredictedRun& run)
{
    std::vector<std::string> files;
    const auto write = [&](const std::string& path, auto&& content) {
        if (path.empty())
            return;
        writeFile(path, content);
        if (path != "-")
            files.push_back(std::filesystem::absolute(path).string());
    };
    write(options.trace, [&](std::ostream& out) { writeChromeTrace(out, run.plan, run.records); });
    write(options.csv, [&](std::ostream& out) { writeSpanCsv(out, run.plan, run.records); });
    write(options.svg, [&](std::ostream& out) { out << timelineSvg(run); });
    if (!options.report.empty()) {
        writeReport(options.report, reportFormatOf(options.report), reportOf(result, run),
                    {.language = options.language});
        if (options.report != "-")
            files.push_back(std::filesystem::absolute(options.report).string());
    }
    return files;
}

void addSpanFigures(SimulateResult& result, const SimulatedPlan& simulated,
                    const Prediction& prediction)
{
    result.exposed = exposedByStage(result.job, result.plan, prediction);
    Layout layout;
    const std::vector<Span> spans = asOnePipeline(prediction, layout);
    result.bubbles = bubbleByStage(stepShares(spans, layout), layout);
    const std::vector<Span> path = criticalPath(simulated, prediction);
    result.criticalPath = pathTimes(path);
    result.pathCollectives = collectivesOf(path);
}

int replay(const SimulateOptions& options)
{
    History history(triaxisHome());
    history.refresh();
    printNotes(history);
    const RunSummary summary = history.run(options.replay);
    const RecordedReplay replayed = replayRecorded(RunDirectory::open(summary.directory));
    if (options.json)
        std::printf("%s\n", nlohmann::ordered_json{{"run", summary.id},
                                                   {"step", replayed.step},
                                                   {"measured_s", replayed.measured},
                                                   {"replayed_s", replayed.replayed},
                                                   {"error", replayed.error()}}
                                .dump()
                                .c_str());
    else
        std::printf("step %d of %s took %s from first to last span; replayed from the durations of "
                    "its instructions %s: %+.2f %%\n",
                    replayed.step, summary.id.c_str(), units::seconds(replayed.measured).c_str(),
                    units::seconds(replayed.replayed).c_str(), 100 * replayed.error());
    return Success;
}

/// The job and layout of a drawn plan. Throws Error for one that is drawn on this machine, whose
/// cores no cluster's figures describe.
void takePlanFile(const SimulateOptions& options, SimulateResult& result)
{
    const PlanFile file = readPlanFile(options.planFile);
    for (const std::string& note : file.notes)
        std::fprintf(stderr, "triaxis: %s\n", note.c_str());
    if (file.plan.cluster.thisMachine)
        throw Error("cannot predict the plan", options.planFile + " is drawn on this machine",
                    "use triaxis run --predict --plan FILE, or choose a cluster for it");
    result.diagnostics = checkDrawn(file.plan);
    result.job = trainingJob(file.plan);
    result.plan = parallelPlan(file.plan);
}

int simulate(const SimulateOptions& options, bool devicesGiven)
{
    if (!options.replay.empty())
        return replay(options);
    SimulateResult result;
    if (!options.planFile.empty()) {
        takePlanFile(options, result);
    } else {
        result.job = jobFrom(options.job);
        result.plan = parallelPlanFrom(options.parallel, result.job, devicesGiven);
        result.diagnostics = checkPlan(result.job, result.plan);
    }
    if (hasErrors(result.diagnostics)) {
        for (const Diagnostic& finding : result.diagnostics)
            std::fprintf(stderr, "triaxis: %s\n", toText(finding).c_str());
        return BadUsage;
    }
    const PredictionOptions asked =
        predictionOptions(options.disturbances, result.job, result.plan);
    for (Diagnostic& finding : deviceFindings(options.disturbances, result.job, result.plan)) {
        result.diagnostics.push_back(std::move(finding));
        result.fitsOtherDevices = false;
    }
    const SimulatedPlan simulated = simulatedPlan(result.job, result.plan);
    Prediction prediction = predict(simulated, asked);
    result.estimate = estimateStep(result.job, result.plan);
    result.seconds = prediction.seconds;
    result.memory = memoryByStage(result.job, result.plan);
    result.showMemory = options.memory;
    addSpanFigures(result, simulated, prediction);
    result.outOfMemory = explainOutOfMemory(result.job, result.plan, &simulated, &prediction);
    if (options.whatIf > 0) {
        WhatIfOptions change;
        change.change = options.whatIf / 100;
        result.whatIf = whatIf(result.job, result.plan, change);
    }
    const std::array written{options.trace, options.svg, options.csv, options.report};
    if (std::any_of(written.begin(), written.end(),
                    [](const std::string& path) { return !path.empty(); }))
        result.files = writeFiles(
            options, result, runOf(result.job, result.plan, simulated, prediction, result.memory));
    if (!asked.perturbations.none() || asked.sharedLinks)
        result.perturbed = std::move(prediction);
    if (options.json)
        std::printf("%s\n", simulateJson(result).dump().c_str());
    else if (std::count(written.begin(), written.end(), "-") == 0)
        printSimulateText(result);
    return Success;
}

} // namespace

void addSimulateCommand(CLI::App& app, int& exitCode)
{
    CLI::App* command = app.add_subcommand(
        "simulate", "Predict a training step: time, bubble, communication, memory");
    command->footer("Example: triaxis simulate --model gpt3-175b --cluster dgx-a100 --devices 512 "
                    "--tp 8 --pp 8 --batch 512 --recompute full --memory");
    const auto options = std::make_shared<SimulateOptions>();
    addJobOptions(*command, options->job);
    addParallelOptions(*command, options->parallel);
    addDisturbanceOptions(*command, options->disturbances);
    command
        ->add_option("--plan", options->planFile,
                     "Predict a plan file (.triaxis) instead of what the options say")
        ->excludes("--model")
        ->excludes("--cluster")
        ->excludes("--devices")
        ->group("The job");
    const char* group = "What is shown";
    command
        ->add_option("--what-if", options->whatIf,
                     "Also how the step changes when rates and constants change by so many percent "
                     "(default: 10) and sizes are doubled or halved")
        ->expected(0, 1)
        ->default_str("10")
        ->check(CLI::Range(0.01, 99.0))
        ->group(group);
    command->add_flag("--memory", options->memory, "Also the memory of every stage by category")
        ->group(group);
    command
        ->add_option("--trace", options->trace,
                     "Write the spans as a Chrome trace; - for standard output")
        ->group(group);
    command->add_option("--svg", options->svg, "Write the timeline as a picture")->group(group);
    command
        ->add_option(
            "--report", options->report,
            "Write a report of all figures, tables and the timeline: one HTML file, or .pdf")
        ->group(group);
    addReportLanguage(*command, options->language, group);
    command->add_option("--csv", options->csv, "Write the spans, a row each")->group(group);
    command
        ->add_option("--replay", options->replay,
                     "Replay a step of a stored run instead, from the measured durations of its "
                     "instructions: id, the beginning of one, or 'last'")
        ->group(group);
    command->add_flag("--json", options->json, "One JSON object")->group(group);
    command->callback([command, options, &exitCode] {
        exitCode = simulate(*options, command->get_option("--devices")->count() > 0);
    });
}

} // namespace triaxis::cli
