#pragma once

#include "kernels/cpu/mpi_clock.h"
#include "kernels/cpu/mpi_wait.h"

#include <mpi.h>

#include <string>
#include <vector>

namespace triaxis::kernels::mpi
{

/// Something that moves on by itself when given a moment: the all-reduces of one communicator.
class Advancing
{
public:
    virtual ~Advancing() = default;
    /// A bounded piece of work; never blocks.
    virtual void advance() = 0;
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

    void add(Advancing& part);
    void remove(Advancing& part);
    /// Lets MPI move messages and outstanding all-reduces move on.
    void progress();

private:
    int m_rank = 0;
    int m_size = 1;
    int m_exceptionsAtStart = 0;
    WorldClock m_clock;
    WaitPolicy m_waitPolicy;
    std::vector<Advancing*> m_parts;
};

} // namespace triaxis::kernels::mpi
