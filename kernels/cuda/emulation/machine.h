#pragma once

#include "kernels/cuda/emulation/memory.h"

#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace triaxis::emulation
{

/// Something in a stream.
class Operation
{
public:
    virtual ~Operation() = default;
    /// Never blocks; false while it waits for something else. Throws Violation.
    virtual bool advance() = 0;
    /// Of the network, which may be slow: see Machine::advance().
    virtual bool isMessage() const { return false; }
};

/// Device memory of an operation of NCCL that is in a stream: who comes later may not touch it
/// before it has ended.
struct Claim
{
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    int number = 0;       ///< of the operation, in the order of asking
    bool isWritten = false;
};

/// One recording of an event.
struct Mark
{
    bool done = false;
    double seconds = 0; ///< on the steady clock
};

/// An ordered queue. Nothing in it runs before somebody waits or asks: an order between streams
/// that was not asked for is not there by luck.
class Queue
{
public:
    void add(std::unique_ptr<Operation> operation);
    bool empty() const { return m_operations.empty(); }
    bool isAtMessage() const { return !empty() && m_operations.front()->isMessage(); }
    /// Runs the first operation; false when it waits or there is none.
    bool advance();

private:
    std::deque<std::unique_ptr<Operation>> m_operations;
};

/// What the host asked of the device, for tests of how it waits.
struct Counts
{
    int allocations = 0; ///< of memory, events and streams
    int waits = 0;       ///< in which the host stands still
    int operations = 0;  ///< that were put into streams
    int operationsBeforeWait = 0;

    void wait()
    {
        if (waits++ == 0)
            operationsBeforeWait = operations;
    }
};

/// The emulated device of this process. One thread at a time.
class Machine
{
public:
    Machine();

    DeviceMemory& memory() { return m_memory; }
    int deviceCount() const { return m_devices; }
    int device = 0;    ///< that this process has chosen
    int epilogues = 0; ///< of products that have run
    Counts counts;
    std::vector<const Claim*> claims;
    std::vector<const Claim*> claimsOfOthers; ///< which were there before the kernel that runs
    int asked = 0;                            ///< operations so far

    Queue* makeQueue();
    void removeQueue(Queue* queue);
    Queue& queueOf(Queue* queue) { return queue ? *queue : m_default; }

    /// Gives every queue a turn; false when nothing moved. Afterwards lost() may be true.
    /// TRIAXIS_EMULATED_LATE_MESSAGES=1: messages move only when nothing else can.
    bool advance();
    void finish(Queue& queue);
    void finishAll();
    /// Until `isDone`; queues that it does not need have turns only when it is stuck.
    void advanceUntil(Queue& queue, const std::function<bool()>& isDone);

    /// Sums over a warp take one exchange and not five (TRIAXIS_EMULATED_QUICK=1): for whole runs.
    /// Tests of kernels go the long way.
    bool isQuick() const { return m_quick; }

    /// After a violation the device is lost: every call fails, as on a real one.
    bool lost() const { return !m_reason.empty(); }
    const std::string& reason() const { return m_reason; }
    void lose(const std::string& reason);
    /// For tests: as if the process had started anew.
    void recover();

    /// The `number`-th allocation from now (1 is the next) fails, and all after it until it is 0.
    void failAllocation(int number) { m_allocationsUntilFailure = number; }
    bool allocationFails();

    void pin(void* host, std::size_t bytes);
    void unpin(void* host);
    bool isPinned(const void* host) const;

private:
    bool advance(Queue& queue);

    DeviceMemory m_memory;
    int m_devices;
    bool m_quick;
    bool m_lateMessages;
    Queue m_default;
    std::vector<std::unique_ptr<Queue>> m_queues;
    std::string m_reason;
    int m_allocationsUntilFailure = 0;
    std::map<std::uintptr_t, std::size_t> m_pinned;
};

inline Machine& machine()
{
    static Machine device;
    return device;
}

/// An operation from a function that says whether it is done.
std::unique_ptr<Operation> operation(std::function<bool()> advance);

double steadySeconds();

/// The number in "RANK:NUMBER" of an environment variable, where this process has that rank in its
/// job (0 without a job); else 0. So a test asks for a fault in one rank.
int faultSetting(const char* name);

} // namespace triaxis::emulation
