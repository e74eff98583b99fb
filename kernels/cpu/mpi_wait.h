#pragma once

#include <mpi.h>

#include <chrono>

namespace triaxis::kernels::mpi
{

/// How a waiting rank spends its time. A rank with a core of its own looks again at once; where
/// ranks outnumber the usable cores it hands the core over, so that the rank it waits for can run.
struct WaitPolicy
{
    bool oversubscribed = false;

    /// Collective over `communicator`: compares the cores that each rank of this host may use.
    static WaitPolicy ofThisHost(MPI_Comm communicator);
};

/// The pauses between the looks of one wait: none at first, then the core is handed over, and after
/// a long while the rank sleeps a little each time, well below the 0.2 ms after which messages must
/// be moved again.
class Pause
{
public:
    explicit Pause(const WaitPolicy& policy) : m_policy(policy) {}
    void operator()();
    /// Every few looks: the other requests of this rank want to move on, too.
    bool isTimeForOthers() const { return m_looks % 4 == 3; }
    /// It has looked often enough in vain to sleep until it is rung, where that is sure to happen.
    bool maySleep() const;
    static constexpr std::chrono::microseconds longestSleep{150};
    /// Something has happened: more may follow at once.
    void startOver() { m_looks = 0; }

private:
    const WaitPolicy& m_policy;
    int m_looks = 0;
};

/// While it lives, MPI hands the core over between its looks in calls that return only when other
/// ranks have come: to start, to make a group, to end. Where ranks outnumber cores such a call
/// would hold the core for whole time slices (making a group of eight ranks on two cores took half
/// a second). At other times MPI must not, or every progress() of a rank that computes would hand
/// its core over. Open MPI only; with other libraries it does nothing.
class HandingOver
{
public:
    HandingOver();
    ~HandingOver();
    HandingOver(const HandingOver&) = delete;
    HandingOver& operator=(const HandingOver&) = delete;

private:
    bool m_before = false;
};

} // namespace triaxis::kernels::mpi
