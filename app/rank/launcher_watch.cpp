#include "app/rank/launcher_watch.h"

#include "engine/record/process_info.h"

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <unistd.h>

namespace triaxis::rank
{
namespace
{

constexpr auto interval = std::chrono::milliseconds(500);

void watch(const std::stop_token& stop, WatchedProcess launcher)
{
    std::mutex mutex;
    std::condition_variable_any ended;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, stop, interval, [&] { return stop.stop_requested(); }))
        if (!isAlive(launcher.pid, launcher.startTime))
            _exit(LauncherWatch::exitCode);
}

} // namespace

std::optional<WatchedProcess> launcherOf(const RunDirectory& run)
{
    WatchedProcess launcher;
    if (const char* pid = std::getenv("TRIAXIS_LAUNCHER_PID")) {
        launcher.pid = std::atoi(pid);
    } else if (run.environment().host == hostName()) {
        const RunStatus status = run.status();
        launcher.pid = status.launcherPid;
        launcher.startTime = status.launcherStart;
    }
    if (launcher.pid <= 0)
        return std::nullopt;
    const std::optional<ProcessInfo> process = processInfo(launcher.pid);
    // A pid from the environment may be one of another host.
    if (!process && launcher.startTime == 0)
        return std::nullopt;
    if (launcher.startTime == 0)
        launcher.startTime = process->startTime;
    return launcher;
}

LauncherWatch::LauncherWatch(std::optional<WatchedProcess> launcher)
{
    if (launcher)
        m_thread =
            std::jthread([launcher](const std::stop_token& stop) { watch(stop, *launcher); });
}

} // namespace triaxis::rank
