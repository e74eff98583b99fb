#pragma once

#include "launcher/descriptor.h"
#include "launcher/supervisor.h"

#include <optional>

namespace triaxis
{

/// mpirun as a child in a session of its own, so that a terminal's Ctrl-C reaches the launcher
/// only. It gets SIGTERM when the launcher dies. Its output comes through output(), which does not
/// block; where the command's output is tagged, standard output comes through route() instead.
class ChildProcess
{
public:
    /// Throws Error if the program cannot be started.
    explicit ChildProcess(const LaunchCommand& command);
    /// Kills it if it still runs.
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    int pid() const { return m_pid; }
    int output() const { return m_output.value(); }
    int route() const { return m_route.value(); } ///< −1: there is none
    /// The wait status once it has ended.
    std::optional<int> status();
    void signal(int number);

private:
    int m_pid = -1;
    Descriptor m_output;
    Descriptor m_route;
    std::optional<int> m_status;
};

} // namespace triaxis
