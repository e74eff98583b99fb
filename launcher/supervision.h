#pragma once

#include "launcher/cause.h"
#include "launcher/child_process.h"
#include "launcher/hang_watch.h"
#include "launcher/output_log.h"
#include "launcher/rank_watch.h"
#include "launcher/routed_records.h"
#include "launcher/scratch.h"
#include "launcher/state_keeper.h"
#include "launcher/supervisor.h"

#include <memory>
#include <optional>
#include <vector>

namespace triaxis
{

/// One run from its start to its end; what superviseRun() does. Everything happens on the caller's
/// thread.
class Supervision
{
public:
    Supervision(RunDirectory& run, const RunObserver& observer, const std::atomic<bool>& stop);

    RunStatus run(const ProgramPaths& programs);

private:
    /// Why the watching ended.
    enum class Outcome { MpirunEnded, Fault, Hung, StopRequested };

    void launch(const ProgramPaths& programs);
    Outcome watch();
    void wait();
    void lookOnce(bool final = false);
    void readRecords(bool final);
    void lookAtProcesses();
    void drainOutput();
    void lookForProgress();
    void deliver(const RecordBatch& batch);
    bool stopWanted() const;
    bool allEnded() const;
    HangWatch::Phase phase() const;

    void followToTheEnd(double seconds);
    void stopRanks();
    void endRanks(double graceSeconds);
    void awaitProcesses(double seconds);
    Cause hang();
    std::optional<Cause> verdict();
    void finish(Outcome outcome);
    std::vector<RankStatus> rankStatuses() const;

    RunDirectory& m_run;
    RunPlan m_plan;
    RunObserver m_observer;
    const std::atomic<bool>& m_stop;
    StateKeeper m_state;
    OutputLog m_log;
    Scratch m_scratch;
    std::vector<RankWatch> m_ranks;
    std::optional<ChildProcess> m_mpirun;
    std::optional<RoutedRecords> m_routed; ///< where hosts may not reach the directory
    bool m_mpirunSeen = false; ///< its end is in the evidence
    Evidence m_evidence;
    HangWatch m_hang;
    std::string m_complaint; ///< of the observer, so that it is printed once
    int m_look = 0;
    double m_lastLook = 0;
};

} // namespace triaxis
