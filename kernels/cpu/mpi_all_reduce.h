#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_check.h"
#include "kernels/cpu/mpi_reduce.h"
#include "kernels/cpu/mpi_session.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace triaxis::kernels::mpi {

/// What each member says of itself with the first part of an all-reduce.
struct MemberHeader
{
    double ready = 0;
    std::int64_t count = 0; ///< elements: all members must give the same
};

/// A contiguous part of an all-reduce, reduced by itself. Parts of at most largestExchange bytes:
/// every member sends all of it to every other and adds up by itself (one message time). Larger
/// ones: member i receives the i-th segment from all, adds it up and sends the result to all:
/// 2(n−1)/n of the bytes per member, in two message times.
class Block
{
public:
    struct Part
    {
        char* data = nullptr;
        std::size_t count = 0;
        Element element = Element::Float;
        Reduction reduction = Reduction::Sum;
        MemberHeader header;
        bool first = false; ///< of its all-reduce: carries the headers
        int tag = 0;        ///< this and the next two are its own
    };

    static constexpr std::size_t largestExchange = 16 * 1024;

    Block(MPI_Comm communicator, int rank, int size);

    bool idle() const { return !m_busy; }
    void start(const Part& part);
    /// Moves it on without blocking; true once the result lies in place.
    bool advance();
    bool carriedHeaders() const { return m_part.first; }
    /// Of all members; valid when a part that carried headers has completed.
    const std::vector<MemberHeader>& headers() const { return m_headers; }

private:
    struct Segment
    {
        char* data;
        std::size_t count;
    };

    void startExchange();
    bool advanceExchange();
    void startSegments();
    bool advanceSegments();
    Segment segment(int member) const;
    std::size_t bytes(std::size_t count) const { return count * elementBytes(m_part.element); }
    char* staging(int member, std::size_t stride);

    MPI_Comm m_communicator;
    int m_rank;
    int m_size;
    Part m_part;
    bool m_busy = false;
    bool m_exchange = true;
    bool m_reduced = false;
    bool m_gathering = false;
    std::vector<char> m_staging;
    std::vector<char> m_outgoing;
    std::vector<MemberHeader> m_headers;
    std::vector<const void*> m_sources;
    Transfers m_receives;
    Transfers m_sends;
    Transfers m_gathered;
    Transfers m_results;
};

class AllReduceRequest;

/// The all-reduces of one group, in the order in which they were issued. A few blocks are under way
/// at a time.
class AllReduceQueue final : public Advancing
{
public:
    AllReduceQueue(std::shared_ptr<Session> session, MPI_Comm communicator);
    ~AllReduceQueue() override;
    AllReduceQueue(const AllReduceQueue&) = delete;
    AllReduceQueue& operator=(const AllReduceQueue&) = delete;

    std::unique_ptr<Request> issue(void* data, std::int64_t count, Element element,
                                   Reduction reduction);
    void advance() override;
    void forget(AllReduceRequest& request);

private:
    struct Slot
    {
        std::unique_ptr<Block> block;
        AllReduceRequest* owner = nullptr;
    };

    void startBlocks();
    void finish(Slot& slot);

    std::shared_ptr<Session> m_session;
    MPI_Comm m_communicator;
    int m_rank = 0;
    int m_size = 1;
    std::int64_t m_blocksStarted = 0;
    std::vector<Slot> m_slots;
    std::deque<AllReduceRequest*> m_waiting; ///< with blocks still to start
};

} // namespace triaxis::kernels::mpi
