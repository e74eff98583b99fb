#pragma once

#include "engine/record/run_directory.h"
#include "launcher/cause.h"

#include <functional>

namespace triaxis
{

/// The state of a run as the directory and the observer see it. What cannot be written (a full
/// disk) is said on standard error, tried again with every heartbeat, and tried hard at the end:
/// the state is never lost.
class StateKeeper
{
public:
    StateKeeper(RunDirectory& run, std::function<void(const RunStatus&)> observer);

    const RunStatus& status() const { return m_status; }
    /// Moves on as run_state.h says; an event that cannot happen in this state changes nothing.
    void apply(RunEvent event, const Cause& cause = {});
    void reachedStep(std::int64_t step);
    /// Writes a sign of life if a second has passed since the last.
    void heartbeat(double now);

private:
    void write();
    void writeFinal();
    bool tryWrite();
    void notify();

    RunDirectory& m_run;
    std::function<void(const RunStatus&)> m_observer;
    RunStatus m_status;
    double m_lastBeat = 0;
    std::string m_complaint; ///< the last one on standard error, so that it is printed once
};

} // namespace triaxis
