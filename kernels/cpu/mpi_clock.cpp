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

void answer(MPI_Comm communicator, int peer, const std::function<double()>& ownClock, int rounds)
{
    for (int i = 0; i < rounds; ++i) {
        check(MPI_Recv(nullptr, 0, MPI_BYTE, peer, 0, communicator, MPI_STATUS_IGNORE),
              "measuring the clocks");
        const double time = ownClock();
        check(MPI_Send(&time, 1, MPI_DOUBLE, peer, 0, communicator), "measuring the clocks");
    }
}

ClockReading ask(MPI_Comm communicator, const std::function<double()>& ownClock, int rounds)
{
    ClockReading best;
    best.error = std::numeric_limits<double>::infinity();
    for (int i = 0; i < rounds; ++i) {
        double reference = 0;
        const double sent = ownClock();
        check(MPI_Send(nullptr, 0, MPI_BYTE, 0, 0, communicator), "measuring the clocks");
        check(MPI_Recv(&reference, 1, MPI_DOUBLE, 0, 0, communicator, MPI_STATUS_IGNORE),
              "measuring the clocks");
        const double received = ownClock();
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
                          int rounds)
{
    int rank = 0;
    int size = 1;
    check(MPI_Comm_rank(communicator, &rank), "measuring the clocks");
    check(MPI_Comm_size(communicator, &size), "measuring the clocks");
    if (rank != 0)
        return ask(communicator, ownClock, rounds);
    for (int peer = 1; peer < size; ++peer)
        answer(communicator, peer, ownClock, rounds);
    return {.at = ownClock(), .offset = 0, .error = 0};
}

World::Clock WorldClock::start(MPI_Comm communicator)
{
    return start(communicator, steadySeconds, readsClockOfRankZero(communicator));
}

World::Clock WorldClock::start(MPI_Comm communicator, std::function<double()> ownClock, bool common)
{
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
    check(MPI_Allreduce(MPI_IN_PLACE, &common, 1, MPI_INT, MPI_MIN, m_communicator),
          "measuring the clocks");
    if (common != 0)
        return {.at = m_ownClock(), .offset = 0, .error = resolution};
    ClockReading reading = measureClock(m_communicator, m_ownClock, roundsOfWorldClock);
    if (m_common) {
        reading.offset = 0;
        reading.error = resolution;
    }
    return reading;
}

} // namespace triaxis::kernels::mpi
