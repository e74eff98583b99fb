#include "launcher/state_keeper.h"

#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "engine/record/utc.h"
#include "launcher/steady_time.h"

#include <cstdio>
#include <thread>
#include <unistd.h>

namespace triaxis
{
namespace
{

constexpr double beatSeconds = 0.9;
constexpr int finalTries = 20;
constexpr auto betweenTries = std::chrono::milliseconds(100);

} // namespace

StateKeeper::StateKeeper(RunDirectory& run, std::function<void(const RunStatus&)> observer)
    : m_run(run), m_observer(std::move(observer))
{
    m_status.launcherPid = ::getpid();
    const auto self = processInfo(m_status.launcherPid);
    m_status.launcherStart = self ? self->startTime : 0;
}

void StateKeeper::apply(RunEvent event, const Cause& cause)
{
    const auto state = next(m_status.state, event);
    if (!state)
        return;
    m_status.state = *state;
    if (event == RunEvent::Fault) {
        m_status.reason = cause.reason;
        m_status.failedRank = cause.rank;
    }
    if (isFinal(*state))
        m_status.endedUtc = utcText(unixTime());
    write();
    notify();
}

void StateKeeper::reachedStep(std::int64_t step)
{
    m_status.lastStep = std::max(m_status.lastStep, step);
}

void StateKeeper::heartbeat(double now)
{
    if (now - m_lastBeat < beatSeconds)
        return;
    write();
    notify();
}

void StateKeeper::write()
{
    m_lastBeat = steadySeconds();
    m_status.heartbeat = unixTime();
    if (isFinal(m_status.state))
        writeFinal();
    else
        tryWrite();
}

bool StateKeeper::tryWrite()
{
    try {
        m_run.setStatus(m_status);
        return true;
    } catch (const Error& error) {
        if (m_complaint != error.what())
            std::fprintf(stderr, "triaxis: %s\n", error.what());
        m_complaint = error.what();
        return false;
    }
}

void StateKeeper::writeFinal()
{
    for (int i = 0; i < finalTries; ++i) {
        if (tryWrite())
            return;
        std::this_thread::sleep_for(betweenTries);
    }
    std::fprintf(stderr, "triaxis: run %s is %s, which could not be written down%s%s\n",
                 m_run.id().c_str(), toText(m_status.state), m_status.reason.empty() ? "" : ": ",
                 m_status.reason.c_str());
}

void StateKeeper::notify()
{
    try {
        if (m_observer)
            m_observer(m_status);
    } catch (const std::exception& error) {
        // Whoever looks on does not end a run.
        if (m_complaint != error.what())
            std::fprintf(stderr, "triaxis: %s\n", error.what());
        m_complaint = error.what();
    }
}

} // namespace triaxis
