#pragma once

#include "engine/record/run_directory.h"
#include "launcher/supervisor.h"

#include <filesystem>
#include <memory>

namespace triaxis::cli
{

/// Where the progress of a run goes.
class RunPrinter
{
public:
    virtual ~RunPrinter() = default;
    virtual void started(const RunDirectory& run, const RunPlan& plan) = 0;
    virtual void records(const RecordBatch& batch) = 0;
    virtual void ended(const RunDirectory& run, const RunStatus& status) = 0;
};

/// A table for people: one line a step, or about two lines a second when steps are short.
std::unique_ptr<RunPrinter> makeTablePrinter();
/// One JSON object a step, {"step", "loss", "grad_norm", "seconds", "tokens_per_second"}; a first and a last object with "event".
std::unique_ptr<RunPrinter> makeJsonPrinter();
/// Nothing at all.
std::unique_ptr<RunPrinter> makeQuietPrinter();

/// completeData() for the plan of a run that somebody else has made and nobody has started. Where the data cannot be used
/// the run has failed with that reason, and Error is thrown.
void completeDraft(RunDirectory& draft);

/// Prints what keeps a plan from running (or speaks against it) on standard error; false if it cannot run.
bool reportDiagnostics(const RunPlan& plan);

/// A new run directory under `home` for a plan that can run.
RunDirectory makeRun(const std::filesystem::path& home, const RunPlan& plan);

/// Runs it to its end, keeping the history up to date. SIGINT, SIGTERM and SIGHUP stop it. Returns the final status.
RunStatus runToEnd(RunDirectory& run, RunPrinter& printer);

/// Exit code of a final state.
int exitCodeOf(const RunStatus& status);

} // namespace triaxis::cli
