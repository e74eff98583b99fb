#include "launcher/supervision.h"

#include "engine/model/parameters.h"
#include "engine/core/error.h"
#include "engine/record/record_batch.h"
#include "launcher/steady_time.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <poll.h>

namespace triaxis
{
namespace
{

constexpr int pollMilliseconds = 33;
/// mpirun needs about a second after the first rank's end to say by which signal that was.
constexpr double explainSeconds = 6;
/// What ranks get to end by themselves after a fault, after a stop request, and after mpirun has
/// ended.
constexpr double faultGraceSeconds = 0.5;
constexpr double stopGraceSeconds = 3;
constexpr double endGraceSeconds = 2;
/// mpirun gets this after all ranks have ended well.
constexpr double mpirunGraceSeconds = 10;

} // namespace

Supervision::Supervision(RunDirectory& run, const RunObserver& observer,
                         const std::atomic<bool>& stop)
    : m_run(run), m_plan(run.plan()), m_observer(observer), m_stop(stop),
      m_state(run, observer.status), m_log(run.standardError()),
      m_hang(m_plan.execution.hangSeconds +
                 longestPause(m_plan.execution.pace, m_plan.layout,
                              double(parameterCount(m_plan.model)) * sizeof(float)),
             steadySeconds())
{
    for (int rank = 0; rank < m_plan.layout.ranks(); ++rank)
        m_ranks.emplace_back(run, Rank(rank));
}

RunStatus Supervision::run(const ProgramPaths& programs)
{
    m_state.apply(RunEvent::Start);
    try {
        launch(programs);
        finish(watch());
    } catch (const std::exception& error) {
        endRanks(faultGraceSeconds);
        m_state.apply(RunEvent::Fault, {error.what(), std::nullopt});
    }
    return m_state.status();
}

void Supervision::launch(const ProgramPaths& programs)
{
    LaunchCommand command = launchCommand(m_run, programs);
    if (m_plan.execution.hostfile.empty())
        command.environment.insert(command.environment.end(), m_scratch.environment().begin(),
                                   m_scratch.environment().end());
    m_mpirun.emplace(command);
    if (command.tagged)
        m_routed.emplace(m_run, m_plan.layout.ranks(), m_log);
}

Supervision::Outcome Supervision::watch()
{
    double allEndedSince = -1;
    for (;;) {
        lookOnce();
        if (m_mpirunSeen)
            return Outcome::MpirunEnded;
        if (!m_evidence.empty())
            return Outcome::Fault;
        if (stopWanted())
            return Outcome::StopRequested;
        if (m_hang.isHung())
            return Outcome::Hung;
        if (!allEnded())
            allEndedSince = -1;
        else if (allEndedSince < 0)
            allEndedSince = steadySeconds();
        else if (steadySeconds() - allEndedSince > mpirunGraceSeconds)
            return Outcome::MpirunEnded;
        wait();
    }
}

/// Until something happens to a process or a pipe, at most until the next look at the records.
void Supervision::wait()
{
    std::vector<pollfd> entries;
    entries.push_back({m_mpirun->output(), POLLIN, 0});
    for (const RankWatch& rank : m_ranks)
        if (rank.descriptor() >= 0)
            entries.push_back({rank.descriptor(), POLLIN, 0});
    if (m_mpirun->route() >= 0)
        entries.push_back({m_mpirun->route(), POLLIN, 0});
    ::poll(entries.data(), entries.size(), pollMilliseconds);
    const short closed = short(entries.front().revents | (m_routed ? entries.back().revents : 0));
    if (closed & (POLLHUP | POLLERR)) // a closed pipe wakes at once, and for ever
        ::poll(nullptr, 0, pollMilliseconds);
}

void Supervision::lookOnce(bool final)
{
    ++m_look;
    drainOutput();
    lookAtProcesses();
    const double now = steadySeconds();
    // Output alone may wake us far more often than there is something to read.
    if (final || !m_evidence.empty() || now - m_lastLook > 1e-3 * (pollMilliseconds - 3)) {
        m_lastLook = now;
        readRecords(final);
        lookForProgress();
    }
    m_state.heartbeat(now);
}

void Supervision::drainOutput()
{
    if (m_routed)
        m_routed->drain(m_mpirun->route(), m_mpirun->output());
    else
        m_log.drain(m_mpirun->output());
}

void Supervision::lookAtProcesses()
{
    const auto status = m_mpirun->status();
    for (RankWatch& rank : m_ranks) {
        if (!rank.look())
            continue;
        // Its last words are on the disk by now.
        deliver(rank.readRecords());
        if (!rank.hasEndRecord() && !rank.hasFault())
            m_evidence.vanished(rank.rank(), rank.waitStatus(), m_look);
    }
    if (status && !m_mpirunSeen) {
        m_mpirunSeen = true;
        drainOutput();
        m_evidence.mpirunEnded(*status, m_look);
    }
}

void Supervision::readRecords(bool final)
{
    RecordBatch all;
    for (RankWatch& rank : m_ranks)
        append(all, rank.readRecords(final));
    deliver(all);
}

void Supervision::deliver(const RecordBatch& batch)
{
    if (batch.empty())
        return;
    for (const FaultRecord& fault : batch.faults)
        m_evidence.fault(fault, m_look);
    for (const StepResult& step : batch.steps)
        m_state.reachedStep(step.step);
    try {
        if (m_observer.records)
            m_observer.records(batch);
    } catch (const std::exception& error) {
        // Whoever looks on does not end a run.
        if (m_complaint != error.what())
            std::fprintf(stderr, "triaxis: %s\n", error.what());
        m_complaint = error.what();
    }
}

void Supervision::lookForProgress()
{
    std::uint64_t finished = 0;
    bool inStep = m_state.status().lastStep > 0;
    for (const RankWatch& rank : m_ranks) {
        if (!rank.status())
            continue;
        finished += rank.status()->finished;
        inStep = inStep || rank.status()->step > 0;
    }
    if (inStep)
        m_state.apply(RunEvent::FirstStep);
    m_hang.look(steadySeconds(), finished, phase());
}

HangWatch::Phase Supervision::phase() const
{
    const RunStatus& status = m_state.status();
    if (status.state == RunState::Starting)
        return HangWatch::Phase::Starting;
    return status.lastStep >= m_plan.training.steps ? HangWatch::Phase::Ending
                                                    : HangWatch::Phase::Stepping;
}

bool Supervision::stopWanted() const
{
    return m_stop.load() || std::filesystem::exists(m_run.stopRequest());
}

bool Supervision::allEnded() const
{
    return std::all_of(m_ranks.begin(), m_ranks.end(), [](const RankWatch& rank) {
        return rank.hasEndRecord() && rank.processEnded();
    });
}

std::vector<RankStatus> Supervision::rankStatuses() const
{
    std::vector<RankStatus> statuses;
    for (const RankWatch& rank : m_ranks)
        if (rank.status())
            statuses.push_back(*rank.status());
    return statuses;
}

/// Goes on looking until mpirun has ended, for so long at most.
void Supervision::followToTheEnd(double seconds)
{
    const double until = steadySeconds() + seconds;
    while (!m_mpirunSeen && steadySeconds() < until) {
        wait();
        lookOnce();
    }
}

/// Ranks may live on for a moment after mpirun.
void Supervision::awaitProcesses(double seconds)
{
    const double until = steadySeconds() + seconds;
    while (steadySeconds() < until && !processesOfRun(m_run.id(), rankStatuses()).empty())
        ::poll(nullptr, 0, pollMilliseconds);
}

void Supervision::stopRanks()
{
    m_state.apply(RunEvent::StopRequested);
    m_mpirun->signal(SIGTERM);
    followToTheEnd(stopGraceSeconds);
}

void Supervision::endRanks(double graceSeconds)
{
    const std::vector<ProcessName> left = endProcesses(m_run.id(), rankStatuses(), graceSeconds);
    for (const ProcessName& process : left)
        std::fprintf(stderr, "triaxis: process %d of run %s cannot be ended\n", process.pid,
                     m_run.id().c_str());
}

Cause Supervision::hang()
{
    std::vector<RankActivity> activities;
    for (const RankWatch& rank : m_ranks)
        activities.push_back(rank.activity());
    const Cause cause = hangCause(activities, m_hang.limit());
    m_log.add("triaxis: " + cause.reason + "\n");
    for (const std::string& line : activityLines(activities)) {
        m_log.add("triaxis: " + line + "\n");
        std::fprintf(stderr, "triaxis: %s\n", line.c_str());
    }
    return cause;
}

/// mpirun has ended, or only mpirun is left: what it comes to.
std::optional<Cause> Supervision::verdict()
{
    if (allEnded() && (m_evidence.empty() || m_evidence.isClean()))
        return std::nullopt;
    if (!m_evidence.isClean())
        return m_evidence.conclude(m_log.recent());
    // mpirun is content; then every rank must have said that it ended well.
    for (const RankWatch& rank : m_ranks)
        if (!rank.hasEndRecord())
            return Cause{"rank " + std::to_string(rank.rank().value) +
                             " ended before the run was done",
                         rank.rank()};
    return std::nullopt;
}

void Supervision::finish(Outcome outcome)
{
    std::optional<Cause> cause;
    switch (outcome) {
    case Outcome::StopRequested:
        stopRanks();
        break;
    case Outcome::Hung:
        cause = hang();
        break;
    case Outcome::Fault:
        followToTheEnd(explainSeconds);
        cause = m_evidence.conclude(m_log.recent());
        break;
    case Outcome::MpirunEnded:
        if (m_evidence.isClean())
            awaitProcesses(endGraceSeconds);
        lookOnce();
        cause = verdict();
        break;
    }
    endRanks(faultGraceSeconds);
    lookOnce(true);
    m_state.apply(cause ? RunEvent::Fault : RunEvent::RanksEnded, cause.value_or(Cause{}));
}

} // namespace triaxis
