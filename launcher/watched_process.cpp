#include "launcher/watched_process.h"

#include "engine/record/process_info.h"

#include <cstdint>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>

namespace triaxis
{
namespace
{

/// struct pidfd_info of linux/pidfd.h in its first size, which Debian 12's headers do not have yet.
struct PidfdInfo
{
    std::uint64_t mask;
    std::uint64_t controlGroup;
    std::uint32_t pids[3];
    std::uint32_t users[8];
    std::int32_t exitCode;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr std::uint64_t wantsExit = 1u << 3; // PIDFD_INFO_EXIT
constexpr unsigned long getInfo = _IOWR(0xFF, 11, PidfdInfo);

} // namespace

WatchedProcess::WatchedProcess(const ProcessName& name)
    : m_name(name), m_descriptor(int(::syscall(SYS_pidfd_open, name.pid, 0)))
{
    // The pid may have gone to another process between the two.
    if (m_descriptor && !isAlive(name.pid, name.startTime))
        m_descriptor.reset();
}

bool WatchedProcess::hasEnded()
{
    if (m_ended)
        return true;
    if (m_descriptor) {
        pollfd entry{m_descriptor.value(), POLLIN, 0};
        m_ended = ::poll(&entry, 1, 0) == 1;
    } else {
        m_ended = !isAlive(m_name.pid, m_name.startTime);
    }
    if (m_ended)
        findStatus();
    return m_ended;
}

void WatchedProcess::findStatus()
{
    const auto info = processInfo(m_name.pid);
    if (info && info->state == 'Z' && info->startTime == m_name.startTime)
        m_waitStatus = info->exitStatus;
    PidfdInfo exit{};
    exit.mask = wantsExit;
    if (m_descriptor && ::ioctl(m_descriptor.value(), getInfo, &exit) == 0 &&
        (exit.mask & wantsExit))
        m_waitStatus = exit.exitCode;
}

} // namespace triaxis
