#include "app/cli/run_session.h"

#include "app/cli/commands.h"
#include "engine/core/cores.h"
#include "engine/core/error.h"
#include "engine/data/complete_data.h"
#include "storage/history.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

std::atomic<bool> stopRequested{false}; // set by a signal handler, which can reach nothing else

void requestStop(int)
{
    stopRequested = true;
}

/// While it lives, SIGINT, SIGTERM and SIGHUP ask the run to stop.
class StopOnSignal
{
public:
    StopOnSignal()
    {
        stopRequested = false;
        struct sigaction action = {};
        action.sa_handler = requestStop;
        sigaction(SIGINT, &action, &m_interrupt);
        sigaction(SIGTERM, &action, &m_terminate);
        // A terminal that closes; under nohup it is ignored and stays so.
        sigaction(SIGHUP, nullptr, &m_hangUp);
        if (m_hangUp.sa_handler != SIG_IGN)
            sigaction(SIGHUP, &action, nullptr);
    }
    ~StopOnSignal()
    {
        sigaction(SIGINT, &m_interrupt, nullptr);
        sigaction(SIGTERM, &m_terminate, nullptr);
        sigaction(SIGHUP, &m_hangUp, nullptr);
    }
    StopOnSignal(const StopOnSignal&) = delete;
    StopOnSignal& operator=(const StopOnSignal&) = delete;

private:
    struct sigaction m_interrupt = {};
    struct sigaction m_terminate = {};
    struct sigaction m_hangUp = {};
};

RunEnvironment thisEnvironment()
{
    RunEnvironment environment;
    environment.version = TRIAXIS_VERSION;
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    environment.host = host;
    environment.cores = usableCores();
    return environment;
}

/// The history is an index: a run must not fail because it cannot be written.
void indexQuietly(const RunDirectory& run)
{
    try {
        History history(run.path().parent_path().parent_path());
        history.index(run);
        printNotes(history);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "triaxis: the history was not updated: %s\n", error.what());
    }
}

/// What only the ranks know of the machine.
void noteEnvironment(RunDirectory& run, const RecordBatch& batch)
{
    for (const HelloRecord& hello : batch.hellos) {
        if (hello.rank.value != 0)
            continue;
        RunEnvironment environment = run.environment();
        environment.blas = hello.blas;
        environment.mpi = hello.mpi;
        run.setEnvironment(environment);
    }
}

} // namespace

void completeDraft(RunDirectory& draft)
{
    const RunPlan before = draft.plan();
    RunPlan plan = before;
    try {
        completeData(plan);
    } catch (const Error& error) {
        RunStatus status = draft.status();
        status.state = RunState::Failed;
        status.reason = error.what();
        draft.setStatus(status);
        throw;
    }
    if (plan.data != before.data)
        draft.setPlan(plan);
}

bool reportDiagnostics(const RunPlan& plan)
{
    const std::vector<Diagnostic> diagnostics = checkPlan(plan);
    for (const Diagnostic& diagnostic : diagnostics)
        std::fprintf(stderr, "triaxis: %s\n", toText(diagnostic).c_str());
    return !hasErrors(diagnostics);
}

RunDirectory makeRun(const std::filesystem::path& home, const RunPlan& plan)
{
    return RunDirectory::create(home, plan, thisEnvironment());
}

RunStatus runToEnd(RunDirectory& run, RunPrinter& printer)
{
    const StopOnSignal guard;
    indexQuietly(run);
    printer.started(run, run.plan());
    RunObserver observer;
    observer.records = [&](const RecordBatch& batch) {
        noteEnvironment(run, batch);
        printer.records(batch);
    };
    const RunStatus status = superviseRun(run, findPrograms(), observer, stopRequested);
    indexQuietly(run);
    printer.ended(run, status);
    return status;
}

int exitCodeOf(const RunStatus& status)
{
    if (status.state == RunState::Finished)
        return Success;
    return status.state == RunState::Stopped ? Interrupted : RunFailed;
}

} // namespace triaxis::cli
