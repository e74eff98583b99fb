#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace triaxis::kernels
{

enum class Reduction { Sum, Maximum };

/// Times of one communication on this rank, seconds on the world's clock (rank 0's).
/// begin: the latest ready of all partners as far as this rank knows it (each message carries its sender's ready time), not
/// before its own ready and not after end. begin − ready is waiting, end − begin transfer.
struct Timing
{
    double ready = 0;
    double begin = 0;
    double end = 0;
};

/// A transfer or collective under way. Destroying one that has not completed is a programming error (asserted).
class Request
{
public:
    virtual ~Request() = default;
    /// Moves it on without blocking; true once it has completed.
    virtual bool test() = 0;
    /// For receives: the moment from which the consumer waits (default: when it was posted).
    virtual void markReady(double time) = 0;
    virtual Timing timing() const = 0; ///< valid once complete
    /// Lets the device wait for it instead of the host: what is asked of the device from now on runs after it. For receives, this is
    /// the moment from which the consumer waits. False, and nothing done, where only the host can wait.
    virtual bool holdBackDevice() { return false; }
};

/// A fixed group of ranks. Collectives are issued in the same order by all members. All results are identical on all members and
/// the same from run to run (additions in member order), whatever the network does.
class Communicator
{
public:
    virtual ~Communicator() = default;
    virtual int rank() const = 0;   ///< of this process within the group
    virtual int size() const = 0;

    /// Point to point, float data or bytes; never blocks. Messages of one (peer, tag) pair arrive in order.
    virtual std::unique_ptr<Request> send(const void* data, std::size_t bytes, int peer, int tag) = 0;
    virtual std::unique_ptr<Request> receive(void* data, std::size_t bytes, int peer, int tag) = 0;
    /// In place.
    virtual std::unique_ptr<Request> allReduce(float* data, std::int64_t count, Reduction reduction) = 0;
    virtual std::unique_ptr<Request> allReduce(double* data, std::int64_t count, Reduction reduction) = 0;
};

/// What a group is for. Ranks on GPUs then prepare what its messages need, and no more.
enum class Traffic {
    Collectives,  ///< of device memory
    Neighbours,   ///< messages of device memory along the group and back, around its ends
    HostMemory    ///< whatever is sent lies on the host
};

/// How the ranks of a run reach each other.
class World
{
public:
    virtual ~World() = default;
    virtual int rank() const = 0;
    virtual int size() const = 0;
    virtual std::string library() const = 0;            ///< "Open MPI 4.1.4"

    /// Collective over all ranks, in the same order on each: groups that partition (part of) the world; this rank's group, or null if
    /// it is in none. Connections are warmed up here, not in the first step.
    virtual std::unique_ptr<Communicator> makeGroup(const std::vector<std::vector<int>>& groups) = 0;
    /// The same; whatever the group is for, every message arrives.
    virtual std::unique_ptr<Communicator> makeGroup(const std::vector<std::vector<int>>& groups, Traffic)
    {
        return makeGroup(groups);
    }

    virtual double now() const = 0;                     ///< seconds on rank 0's clock since the world began
    virtual double toWorldClock(double localSeconds) const = 0;
    struct Clock { double at = 0, offset = 0, drift = 0, error = 0; };
    /// Collective: measures offset and drift against rank 0 anew.
    virtual Clock synchronizeClocks() = 0;

    /// Completes when the device has done all that was asked of it up to now; its timing().end is that moment. On the processor: now.
    virtual std::unique_ptr<Request> moment();
    /// Measures the device's clock against the world's for the moments to come. Waits for the device; to be called between steps.
    virtual void tieDeviceClock() {}

    virtual void progress() = 0;                        ///< lets the library move messages; cheap
    /// Blocks until test() is true, calling progress() at least every 0.2 ms and yielding the core when ranks outnumber cores.
    virtual void wait(Request& request) = 0;
    virtual void barrier() = 0;
    virtual void broadcast(void* data, std::size_t bytes, int root) = 0;
    /// Ends all ranks at once (a rank has failed).
    [[noreturn]] virtual void abort(int code) = 0;
};

/// "Open MPI 4.1.4": the library this program runs with, also before there is a world.
std::string mpiLibrary();

/// MPI_Init … MPI_Finalize for the lifetime of the object (not while an exception unwinds: the process then ends without it, and
/// mpirun ends the others). Groups within one host reduce through shared memory, unless TRIAXIS_SHARED_MEMORY=0 is in the environment.
/// Works without mpirun, too: a world of one. Standard output must already be kept away from libraries.
std::unique_ptr<World> makeMpiWorld(int* argc, char*** argv);

} // namespace triaxis::kernels
