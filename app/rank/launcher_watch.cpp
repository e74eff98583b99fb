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

/// A pid from the environment may be one of another host.
std::optional<WatchedProcess> runningProcess(int pid)
{
    const std::optional<ProcessInfo> process = pid > 0 ? processInfo(pid) : std::nullopt;
    if (!process)
        return std::nullopt;
    return WatchedProcess{pid, process->startTime};
}

} // namespace

std::optional<WatchedProcess> launcherOf(const RunDirectory& run)
{
    if (std::getenv("TRIAXIS_LAUNCHER_PID"))
        return launcherOf();
    if (run.environment().host != hostName())
        return std::nullopt;
    const RunStatus status = run.status();
    if (status.launcherPid <= 0)
        return std::nullopt;
    if (status.launcherStart != 0)
        return WatchedProcess{status.launcherPid, status.launcherStart};
    return runningProcess(status.launcherPid);
}

std::optional<WatchedProcess> launcherOf()
{
    const char* pid = std::getenv("TRIAXIS_LAUNCHER_PID");
    return pid ? runningProcess(std::atoi(pid)) : std::nullopt;
}

LauncherWatch::LauncherWatch(std::optional<WatchedProcess> launcher)
{
    if (launcher)
        m_thread =
            std::jthread([launcher](const std::stop_token& stop) { watch(stop, *launcher); });
}

} // namespace triaxis::rank
