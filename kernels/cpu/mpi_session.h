#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_bells.h"
#include "kernels/cpu/mpi_clock.h"
#include "kernels/cpu/mpi_wait.h"

#include <mpi.h>

#include <memory>
#include <vector>

namespace triaxis::kernels::mpi
{

/// Something under way that moves on when given a moment: a receive, the all-reduces of one group.
class Advancing
{
public:
    virtual ~Advancing() = default;
    /// A bounded piece of work; never blocks. False when there was nothing to do.
    virtual bool advance() = 0;
};

/// A request that knows whether all it waits for will ring the bell of this rank.
class RungRequest : public Request
{
public:
    virtual bool willBeRung() const = 0;
};

/// MPI_Init … MPI_Finalize, and what the world and its communicators share. They hold it by shared
/// pointer, so that it outlives them in whatever order they go.
class Session
{
public:
    Session(int* argc, char*** argv);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    int rank() const { return m_rank; }
    int size() const { return m_size; }
    /// While an exception unwinds no collective call may be made: the other ranks are elsewhere.
    bool unwinding() const;

    WorldClock& clock() { return m_clock; }
    const WaitPolicy& waitPolicy() const { return m_waitPolicy; }
    Bells& bells() { return *m_bells; }
    /// TRIAXIS_SHARED_MEMORY=0 in the environment keeps to MPI.
    bool sharedMemoryWanted() const { return m_sharedMemoryWanted; }

    void add(Advancing& part);
    void remove(Advancing& part);
    /// Lets MPI move messages and outstanding requests move on. False when none of these had
    /// anything to do.
    bool progress();

private:
    int m_rank = 0;
    int m_size = 1;
    int m_exceptionsAtStart = 0;
    WorldClock m_clock;
    WaitPolicy m_waitPolicy;
    bool m_sharedMemoryWanted = true;
    std::unique_ptr<Bells> m_bells;
    std::vector<Advancing*> m_parts;
};

} // namespace triaxis::kernels::mpi
