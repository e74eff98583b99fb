#include "kernels/cpu/mpi_wait.h"

#include "kernels/cpu/mpi_check.h"

#include <dlfcn.h>
#include <sched.h>

#include <fstream>
#include <limits>
#include <thread>
#include <vector>

namespace triaxis::kernels::mpi
{

namespace
{

/// Looks (of some 0.3 µs each) of a rank that has a core of its own before it lets others run,
/// before it sleeps until it is rung, and before it sleeps blindly. A core that has gone idle takes
/// many microseconds to wake up, so short waits are spent awake.
constexpr int looksBeforeYield = 100;
constexpr int looksBeforeSleep = 3000;
constexpr int looksBeforeNap = 20000;
/// The same where ranks share a core: each look hands the core over first.
constexpr int sharedLooksBeforeSleep = 10;
constexpr int sharedLooksBeforeNap = 500;
constexpr std::chrono::microseconds nap{50};

/// Cores' worth of time that the control group of this process may use (cgroup v2); infinite
/// without a limit.
double coreQuota()
{
    std::ifstream file("/sys/fs/cgroup/cpu.max");
    double microseconds = 0;
    double period = 0;
    if (file >> microseconds >> period && period > 0)
        return microseconds / period;
    return std::numeric_limits<double>::infinity();
}

/// Ranks that compete for the cores of `mine`, a rank counting by the share of its own cores that
/// lie there.
double demand(const cpu_set_t& mine, const std::vector<cpu_set_t>& ranks)
{
    double ranksHere = 0;
    for (const cpu_set_t& other : ranks) {
        cpu_set_t common;
        CPU_AND(&common, &mine, &other);
        if (CPU_COUNT(&other) > 0)
            ranksHere += static_cast<double>(CPU_COUNT(&common)) / CPU_COUNT(&other);
    }
    return ranksHere;
}

using SetYield = bool(bool);

/// Open MPI's own switch, which returns what it was before; null where there is none.
SetYield* setYield()
{
    static const auto function =
        reinterpret_cast<SetYield*>(dlsym(RTLD_DEFAULT, "opal_progress_set_yield_when_idle"));
    return function;
}

} // namespace

HandingOver::HandingOver()
{
    if (setYield() != nullptr)
        m_before = setYield()(true);
}

HandingOver::~HandingOver()
{
    if (setYield() != nullptr)
        setYield()(m_before);
}

WaitPolicy WaitPolicy::ofThisHost(MPI_Comm communicator)
{
    MPI_Comm host = MPI_COMM_NULL;
    check(MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host),
          "finding the ranks of this host");
    int ranks = 1;
    check(MPI_Comm_size(host, &ranks), "counting the ranks of this host");
    cpu_set_t mine;
    CPU_ZERO(&mine);
    const bool known = sched_getaffinity(0, sizeof mine, &mine) == 0;
    std::vector<cpu_set_t> all(static_cast<std::size_t>(ranks));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all.data(), sizeof mine, MPI_BYTE, host),
          "comparing the cores of the ranks of this host");
    check(MPI_Comm_free(&host), "releasing a communicator");
    const double rounding = 1e-9;
    const bool tooFewCores = known && demand(mine, all) > CPU_COUNT(&mine) + rounding;
    return {.oversubscribed = tooFewCores || ranks > coreQuota() + rounding};
}

void Pause::operator()()
{
    ++m_looks;
    if (m_looks > (m_policy.oversubscribed ? sharedLooksBeforeNap : looksBeforeNap))
        std::this_thread::sleep_for(nap);
    else if (m_policy.oversubscribed || m_looks > looksBeforeYield)
        sched_yield();
}

bool Pause::maySleep() const
{
    return m_looks >= (m_policy.oversubscribed ? sharedLooksBeforeSleep : looksBeforeSleep);
}

} // namespace triaxis::kernels::mpi
