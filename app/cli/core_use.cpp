#include "app/cli/core_use.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

namespace triaxis::cli
{
namespace
{

double secondsOf(const timeval& time)
{
    return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
}

/// From the first line of /proc/stat: user, nice, system, idle, I/O wait, interrupts, soft
/// interrupts, stolen by other virtual machines (proc(5)), in ticks.
double busySeconds()
{
    std::ifstream in("/proc/stat");
    std::string name;
    double user = 0;
    double nice = 0;
    double system = 0;
    double idle = 0;
    double waiting = 0;
    double interrupts = 0;
    double soft = 0;
    double stolen = 0;
    if (!(in >> name >> user >> nice >> system >> idle >> waiting >> interrupts >> soft >> stolen))
        return 0;
    const long ticks = sysconf(_SC_CLK_TCK);
    return (user + nice + system + interrupts + soft + stolen) / double(std::max(1L, ticks));
}

} // namespace

CoreUse CoreUse::now()
{
    CoreUse use;
    use.busy = busySeconds();
    rusage usage{};
    if (getrusage(RUSAGE_CHILDREN, &usage) == 0)
        use.own = secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
    use.time =
        std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    return use;
}

double othersShare(const CoreUse& begin, const CoreUse& end, int cores)
{
    const double room = (end.time - begin.time) * cores;
    if (room <= 0)
        return 0;
    return std::clamp(((end.busy - begin.busy) - (end.own - begin.own)) / room, 0.0, 1.0);
}

} // namespace triaxis::cli
