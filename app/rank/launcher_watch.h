#pragma once

#include "engine/record/run_directory.h"

#include <cstdint>
#include <optional>
#include <thread>

namespace triaxis::rank
{

/// A process on this host, named for good by pid and start time.
struct WatchedProcess
{
    int pid = 0;
    std::int64_t startTime = 0;
};

/// The launcher of a run, if it is a process of this host: $TRIAXIS_LAUNCHER_PID, else what
/// state.json says.
std::optional<WatchedProcess> launcherOf(const RunDirectory& run);
/// The same of a job without a run: $TRIAXIS_LAUNCHER_PID.
std::optional<WatchedProcess> launcherOf();

/// Ends this process at once, without a word to MPI, when the launcher has vanished: a run without
/// its launcher would hold the cores for ever. A thread of its own, so that a rank that hangs ends
/// too; it takes part in no communication.
class LauncherWatch
{
public:
    static constexpr int exitCode = 4;

    explicit LauncherWatch(std::optional<WatchedProcess> launcher);

private:
    std::jthread m_thread;
};

} // namespace triaxis::rank
