#include "kernels/cpu/mpi_clock.h"

#include "kernels/cpu/mpi_check.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr int roundsOfWorldClock = 48;
/// On a crowded host a round trip takes as long as others keep the core: a rank then makes do with
/// fewer of them.
constexpr int fewestRounds = 8;
constexpr double secondsForAll = 0.05;
constexpr double resolution = 1e-9;

using ClockName = std::array<char, 128>;

/// Names the clock behind steadySeconds(): the boot of the kernel and the time namespace. Empty
/// when they cannot be read.
ClockName clockName()
{
    ClockName name{};
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string boot;
    if (!std::getline(file, boot))
        return name;
    std::array<char, 64> space{};
    if (readlink("/proc/self/ns/time", space.data(), space.size() - 1) > 0)
        boot.append(space.data());
    std::memcpy(name.data(), boot.data(), std::min(boot.size(), name.size() - 1));
    return name;
}

bool readsClockOfRankZero(MPI_Comm communicator)
{
    const ClockName own = clockName();
    ClockName first = own;
    check(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, communicator),
          "comparing the clocks of the ranks");
    return own[0] != '\0' && own == first;
}

/// A rank whose turn it is not, or whose partner waits for a core, leaves its own to others
/// meanwhile.
void wait(Transfers& transfers, const WaitPolicy& policy)
{
    for (Pause pause(policy); !transfers.test();)
        pause();
}

void send(const void* data, std::size_t bytes, int peer, MPI_Comm communicator,
          const WaitPolicy& policy)
{
    Transfers transfers;
    transfers.send(data, bytes, peer, 0, communicator);
    wait(transfers, policy);
}

void receive(void* data, std::size_t bytes, int peer, MPI_Comm communicator,
             const WaitPolicy& policy)
{
    Transfers transfers;
    transfers.receive(data, bytes, peer, 0, communicator);
    wait(transfers, policy);
}

/// Until the peer says that it asks for the last time.
void answer(MPI_Comm communicator, int peer, const std::function<double()>& ownClock,
            const WaitPolicy& policy)
{
    char more = 1;
    while (more != 0) {
        receive(&more, 1, peer, communicator, policy);
        const double time = ownClock();
        send(&time, sizeof time, peer, communicator, policy);
    }
}

ClockReading ask(MPI_Comm communicator, const std::function<double()>& ownClock, int rounds,
                 const WaitPolicy& policy)
{
    ClockReading best;
    best.error = std::numeric_limits<double>::infinity();
    double begin = 0;
    char more = 1;
    for (int round = 1; more != 0; ++round) {
        const double sent = ownClock();
        const bool slow = round > fewestRounds && sent - begin > secondsForAll;
        more = round < rounds && !slow ? 1 : 0;
        double reference = 0;
        send(&more, 1, 0, communicator, policy);
        receive(&reference, sizeof reference, 0, communicator, policy);
        const double received = ownClock();
        if (round == 1)
            begin = received; // the first one also waited for its turn
        const double error = (received - sent) / 2;
        if (error < best.error)
            best = {.at = (sent + received) / 2,
                    .offset = reference - (sent + received) / 2,
                    .error = error};
    }
    return best;
}

} // namespace

double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

ClockReading measureClock(MPI_Comm communicator, const std::function<double()>& ownClock,
                          int rounds, const WaitPolicy& policy)
{
    int rank = 0;
    int size = 1;
    check(MPI_Comm_rank(communicator, &rank), "measuring the clocks");
    check(MPI_Comm_size(communicator, &size), "measuring the clocks");
    if (rank != 0)
        return ask(communicator, ownClock, rounds, policy);
    for (int peer = 1; peer < size; ++peer)
        answer(communicator, peer, ownClock, policy);
    return {.at = ownClock(), .offset = 0, .error = 0};
}

World::Clock WorldClock::start(MPI_Comm communicator, const WaitPolicy& policy)
{
    return start(communicator, policy, steadySeconds, readsClockOfRankZero(communicator));
}

World::Clock WorldClock::start(MPI_Comm communicator, const WaitPolicy& policy,
                               std::function<double()> ownClock, bool common)
{
    m_policy = policy;
    m_communicator = communicator;
    m_ownClock = std::move(ownClock);
    m_common = common;
    m_epoch = m_ownClock();
    check(MPI_Bcast(&m_epoch, 1, MPI_DOUBLE, 0, communicator), "starting the clock of the world");
    m_first = m_last = measure();
    m_drift = 0;
    return state();
}

World::Clock WorldClock::synchronize()
{
    m_last = measure();
    const double change = m_last.offset - m_first.offset;
    const double elapsed = m_last.at - m_first.at;
    const bool significant = std::abs(change) > m_first.error + m_last.error;
    m_drift = significant && elapsed > 0 ? change / elapsed : 0;
    return state();
}

World::Clock WorldClock::state() const
{
    return {.at = fromLocal(m_last.at),
            .offset = m_last.offset,
            .drift = m_drift,
            .error = m_last.error};
}

double WorldClock::fromLocal(double localSeconds) const
{
    return localSeconds + m_last.offset + m_drift * (localSeconds - m_last.at) - m_epoch;
}

ClockReading WorldClock::measure() const
{
    int common = m_common ? 1 : 0;
    {
        const HandingOver whileComparing;
        check(MPI_Allreduce(MPI_IN_PLACE, &common, 1, MPI_INT, MPI_MIN, m_communicator),
              "measuring the clocks");
    }
    if (common != 0)
        return {.at = m_ownClock(), .offset = 0, .error = resolution};
    ClockReading reading = measureClock(m_communicator, m_ownClock, roundsOfWorldClock, m_policy);
    if (m_common) {
        reading.offset = 0;
        reading.error = resolution;
    }
    return reading;
}

} // namespace triaxis::kernels::mpi
