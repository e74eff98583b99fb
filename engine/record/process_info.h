#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace triaxis
{

/// What /proc/PID/stat says of a process.
struct ProcessInfo
{
    int pid = 0;
    int parent = 0;
    char state = 0; ///< R, S, D, T (stopped), t (traced), Z (zombie), …
    std::int64_t startTime =
        0;               ///< clock ticks after boot; with the pid it names a process for good
    int exitStatus = 0;  ///< as of waitpid(); meaningful for a zombie
    std::string program; ///< file name of the executable, at most 15 characters
};

/// Nothing if there is no such process (any more).
std::optional<ProcessInfo> processInfo(int pid);
/// True if the process that had this pid at that start time still runs (a zombie does not).
/// `startTime` 0: any.
bool isAlive(int pid, std::int64_t startTime);
std::string hostName();

} // namespace triaxis
