#pragma once

#include "launcher/descriptor.h"
#include "launcher/run_processes.h"

#include <optional>

namespace triaxis
{

/// A process of this host that is not our child. Where the kernel has process descriptors its end
/// wakes a poll(), and where it tells them (Linux 6.15 and later, or if we look before its parent
/// does) the wait status is known, too.
class WatchedProcess
{
public:
    explicit WatchedProcess(const ProcessName& name);

    const ProcessName& name() const { return m_name; }
    /// For poll(); readable once the process has ended. −1 where the kernel has none.
    int descriptor() const { return m_descriptor.value(); }
    bool hasEnded();
    /// As of waitpid(), once it has ended and if it is known.
    std::optional<int> waitStatus() const { return m_waitStatus; }

private:
    void findStatus();

    ProcessName m_name;
    Descriptor m_descriptor;
    bool m_ended = false;
    std::optional<int> m_waitStatus;
};

} // namespace triaxis
