#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_wait.h"

#include <mpi.h>

#include <functional>

namespace triaxis::kernels::mpi
{

/// Seconds of the steady clock of this host.
double steadySeconds();

/// How a rank's own clock relates to rank 0's at one moment: clock₀ = own + offset, within ± error.
struct ClockReading
{
    double at = 0; ///< own clock
    double offset = 0;
    double error = 0;
};

/// Collective: each rank in turn exchanges messages with rank 0, as NTP does (RFC 5905, section 8):
/// offset = t₀ − (t₁ + t₂)/2 with error (t₂ − t₁)/2, taken from the quickest of `rounds` round
/// trips, which the network and the scheduler disturbed least.
ClockReading measureClock(MPI_Comm communicator, const std::function<double()>& ownClock,
                          int rounds, const WaitPolicy& policy);

/// The clock that all ranks share: seconds of rank 0's clock since the world began.
class WorldClock
{
public:
    /// Collective. Ranks on rank 0's host read the very same clock and need no measurement.
    World::Clock start(MPI_Comm communicator, const WaitPolicy& policy);
    /// Collective, with any clock; `common`: it is the same on this rank and rank 0.
    World::Clock start(MPI_Comm communicator, const WaitPolicy& policy,
                       std::function<double()> ownClock, bool common);
    /// Collective. From the second measurement on the drift between the first and the last is known
    /// and applied.
    World::Clock synchronize();

    double now() const { return fromLocal(m_ownClock()); }
    double fromLocal(double localSeconds) const;

private:
    ClockReading measure() const;
    World::Clock state() const;

    MPI_Comm m_communicator = MPI_COMM_NULL;
    WaitPolicy m_policy;
    std::function<double()> m_ownClock = steadySeconds;
    bool m_common = false; ///< all ranks read one and the same clock
    double m_epoch = 0;    ///< rank 0's clock when the world began
    ClockReading m_first;
    ClockReading m_last;
    double m_drift = 0;
};

} // namespace triaxis::kernels::mpi
