#include "app/cli/sweep_runs.h"

#include "app/cli/run_session.h"
#include "app/cli/trial_home.h"
#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/core/units.h"
#include "engine/cost/machine_calibration.h"
#include "engine/data/complete_data.h"
#include "engine/record/records.h"
#include "engine/sweep/sweep_layouts.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

namespace triaxis::cli
{
namespace
{

constexpr std::int64_t trialSteps = 4;

/// One layout of the sweep, and why it cannot run; empty if it can.
struct Entry
{
    Layout layout;
    RunPlan plan;
    std::string problem;
};

std::string problemOf(const RunPlan& plan)
{
    for (const Diagnostic& finding : checkPlan(plan))
        if (finding.severity == Severity::Error)
            return finding.what + (finding.mend.empty() ? "" : "; " + finding.mend);
    return {};
}

Entry entryOf(const SweepJob& job, const Layout& layout)
{
    Entry entry;
    entry.layout = layout;
    PlanOptions options = job.plan;
    options.dp = layout.dp;
    options.tp = layout.tp;
    options.pp = layout.pp;
    try {
        std::vector<std::string> notes;
        entry.plan = planFrom(options, notes);
        entry.layout = entry.plan.layout;
        entry.problem = problemOf(entry.plan);
        if (entry.problem.empty())
            completeData(entry.plan);
    } catch (const Error& error) {
        entry.problem = error.what();
    }
    return entry;
}

std::vector<Entry> entriesOf(const SweepJob& job)
{
    std::vector<Entry> entries;
    for (const Layout& layout : job.layouts)
        entries.push_back(entryOf(job, layout));
    return entries;
}

void say(const SweepJob& job, const std::string& text)
{
    if (!job.quiet)
        std::fprintf(stderr, "%s\n", text.c_str());
}

/// Prints nothing, and tells the observer of each step.
class StepTeller : public RunPrinter
{
public:
    StepTeller(const SweepObserver& observer, std::int64_t steps)
        : m_observer(observer), m_steps(steps)
    {
    }
    void started(const RunDirectory& run, const RunPlan& plan) override
    {
        m_quiet->started(run, plan);
    }
    void records(const RecordBatch& batch) override
    {
        if (m_observer.stepped && !batch.steps.empty())
            m_observer.stepped(batch.steps.back().step, m_steps);
    }
    void ended(const RunDirectory& run, const RunStatus& status) override
    {
        m_quiet->ended(run, status);
    }

private:
    const SweepObserver& m_observer;
    std::int64_t m_steps;
    std::unique_ptr<RunPrinter> m_quiet = makeQuietPrinter();
};

RunStatus runQuietly(const SweepJob& job, RunDirectory& run, bool trial)
{
    const RunPlan plan = run.plan();
    if (job.observer.started)
        job.observer.started(plan.layout, trial, plan.training.steps);
    StepTeller teller(job.observer, plan.training.steps);
    return runToEnd(run, teller);
}

/// The stretch with which the real work of one layout fits into the target's slots; 1 where the
/// target cannot have the layout, which its row tells.
double trialStretch(const SweepJob& job, const Entry& entry, const TrialHome& home,
                    bool& interrupted)
{
    RunPlan plan = entry.plan;
    plan.training.steps = trialSteps;
    try {
        plan.execution.pace = pacedAs(job.target, plan);
    } catch (const Error&) {
        return 1;
    }
    RunDirectory run = makeRun(home.path(), plan);
    interrupted = runQuietly(job, run, true).state == RunState::Stopped;
    return enoughStretch(readRun(run).all.paced, 1);
}

double foundStretch(const SweepJob& job, const std::vector<Entry>& entries, bool& interrupted)
{
    const TrialHome home;
    double stretch = 1;
    for (const Entry& entry : entries)
        if (entry.problem.empty() && !interrupted)
            stretch = std::max(stretch, trialStretch(job, entry, home, interrupted));
    return stretch;
}

double tokensOfTarget(const SweepJob& job, const RunPlan& plan)
{
    return double(plan.training.batch.globalBatch) * job.target.sequence;
}

std::string labelOf(const SweepJob& job, const Entry& entry, SweepForm form)
{
    const std::string name = job.plan.label.value_or("sweep");
    return name + ", " + sizesText(entry.layout) +
           (form == SweepForm::Paced ? ", paced as " + job.targetName : ", on cores");
}

SweepRow measuredRow(const SweepJob& job, const Entry& entry, SweepForm form, double stretch,
                     bool& interrupted)
{
    RunPlan plan = entry.plan;
    plan.label = labelOf(job, entry, form);
    const bool paced = form == SweepForm::Paced;
    if (paced)
        plan.execution.pace = pacedAs(job.target, plan, stretch);
    RunDirectory run = makeRun(triaxisHome(), plan);
    const RunStatus status = runQuietly(job, run, false);
    SweepRow row = paced ? sweepRow(entry.layout, readRun(run), stretch, tokensOfTarget(job, plan))
                         : sweepRow(entry.layout, readRun(run));
    if (paced) {
        row.memoryBytes = targetMemory(job.target, plan);
        row.memoryLimit = double(job.target.cluster.device.memoryBytes);
    }
    row.runId = run.id();
    row.state = status.state;
    if (status.state != RunState::Finished)
        row.reason = status.reason.empty() ? toText(status.state) : status.reason;
    interrupted = status.state == RunState::Stopped;
    return row;
}

SweepRow rowOf(const SweepJob& job, const Entry& entry, SweepForm form, double stretch,
               bool& interrupted)
{
    SweepRow row;
    row.layout = entry.layout;
    row.reason = entry.problem;
    if (!row.reason.empty())
        return row;
    if (interrupted) {
        row.reason = "the sweep was stopped before";
        return row;
    }
    say(job, "  " + sizesText(entry.layout) + " …");
    try {
        return measuredRow(job, entry, form, stretch, interrupted);
    } catch (const Error& error) {
        row.reason = error.what();
        return row;
    }
}

std::string batchText(const RunPlan& plan, int sequence)
{
    return std::to_string(plan.training.batch.globalBatch) + " × " + std::to_string(sequence) +
           " tokens a step in microbatches of " + std::to_string(plan.training.batch.microbatch);
}

const RunPlan& firstRunnable(const std::vector<Entry>& entries)
{
    for (const Entry& entry : entries)
        if (entry.problem.empty())
            return entry.plan;
    return entries.front().plan;
}

void describeCores(SweepTable& table, const RunPlan& plan)
{
    const int cores = usableCores();
    const std::string processor = processorName();
    table.title = "On this machine: " + std::to_string(cores) + (cores == 1 ? " core" : " cores") +
                  (processor.empty() ? "" : " of " + processor);
    table.notes.push_back("What it is: " + plan.model.name + " trained in fp32, " +
                          batchText(plan, plan.training.batch.sequence) + ", " +
                          std::to_string(plan.training.steps) +
                          " steps a layout, as fast as the machine goes.");
    table.notes.push_back("All ranks share the same " + std::to_string(cores) +
                          (cores == 1 ? " core" : " cores") +
                          ", which one rank already uses with all its threads: four ranks cannot "
                          "be four times as fast here. "
                          "Below 1 the speed-up is what splitting the work costs; a little above 1 "
                          "it is what small matrices "
                          "gain where each rank computes on one thread.");
}

std::string pacedTitle(const SweepJob& job)
{
    return "Paced as " + job.target.cluster.device.title + " in " + job.target.cluster.title +
           ": " + job.target.model.name;
}

void describePaced(SweepTable& table, const SweepJob& job, const RunPlan& plan, double stretch)
{
    const DeviceSpec& device = job.target.cluster.device;
    table.notes.push_back("What it would be: " + job.target.model.name + " in " +
                          toText(job.target.precision) + ", " +
                          batchText(plan, job.target.sequence) + ", on as many " + device.title +
                          " as ranks, with " + job.target.software.title + ".");
    table.notes.push_back(
        "Compute slots, links and memory are the simulator's; " + plan.model.name + ", " +
        batchText(plan, plan.training.batch.sequence) +
        ", really trains inside, and its messages set "
        "off, wait and overlap for real. " +
        (stretch > 1
             ? units::seconds(stretch) +
                   " of the run stand for 1 s of the devices, and times here are the devices'."
             : std::string("Times are in the devices' own time.")));
}

} // namespace

SweepTable runSweep(const SweepJob& job, SweepForm form, bool& interrupted)
{
    const std::vector<Entry> entries = entriesOf(job);
    SweepTable table;
    table.form = form;
    const auto begin = [&](bool trials) {
        const auto runs =
            std::count_if(entries.begin(), entries.end(),
                          [](const Entry& entry) { return entry.problem.empty(); });
        if (job.observer.begun)
            job.observer.begun(table, entries.size(), std::size_t(trials ? 2 * runs : runs));
    };
    double stretch = 1;
    switch (form) {
    case SweepForm::Cores:
        describeCores(table, firstRunnable(entries));
        say(job, table.title);
        begin(false);
        break;
    case SweepForm::Paced:
        say(job, "Paced as " + job.targetName +
                     (job.stretch ? "" : ": finding out how long the real work takes …"));
        table.title = pacedTitle(job);
        begin(!job.stretch);
        stretch = job.stretch ? *job.stretch : foundStretch(job, entries, interrupted);
        describePaced(table, job, firstRunnable(entries), stretch);
        break;
    }
    for (const Entry& entry : entries) {
        table.rows.push_back(rowOf(job, entry, form, stretch, interrupted));
        if (job.observer.ended)
            job.observer.ended(form, table.rows.back());
    }
    for (const SweepRow& row : table.rows)
        if (const std::string warning = memoryWarning(row); !warning.empty())
            table.notes.push_back(sizesText(row.layout) + " " + warning +
                                  "; its figures are those of devices that had the memory.");
    compareRows(table);
    return table;
}

} // namespace triaxis::cli
