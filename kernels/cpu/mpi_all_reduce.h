#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_reduce.h"
#include "kernels/cpu/mpi_session.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

namespace triaxis::kernels::mpi
{

/// What each member says of itself with the first piece of an all-reduce.
struct MemberHeader
{
    double ready = 0;
    std::int64_t count = 0; ///< elements: all members must give the same
};

class AllReduceRequest;

/// A contiguous part of an all-reduce, small enough to stay in the caches, reduced by itself. How
/// an all-reduce is cut depends on its size and the group only, and every element is reduced in
/// member order: no cut changes a bit of the result.
struct Piece
{
    AllReduceRequest* request = nullptr;
    char* data = nullptr;
    std::size_t count = 0;
    Element element = Element::Float;
    Reduction reduction = Reduction::Sum;
    MemberHeader header;
    bool first = false; ///< of its all-reduce: the members' headers travel with it

    std::size_t bytes(std::size_t elements) const { return elements * elementBytes(element); }
};

/// The part of a piece that one member adds up for all.
struct Segment
{
    char* data;
    std::size_t offset; ///< bytes into the piece
    std::size_t count;
};

/// Segments are whole cache lines apart; the last ones may be empty.
Segment segmentOf(const Piece& piece, int member, int members);

/// The all-reduces of one group, carried out in the order in which they were issued.
class AllReduces : public Advancing
{
public:
    /// Pieces have at most `pieceBytes` bytes.
    AllReduces(std::shared_ptr<Session> session, int rank, int size, std::size_t pieceBytes);
    ~AllReduces() override;
    AllReduces(const AllReduces&) = delete;
    AllReduces& operator=(const AllReduces&) = delete;

    std::unique_ptr<Request> issue(void* data, std::int64_t count, Element element,
                                   Reduction reduction);
    /// An exception takes a request away that has not completed: nothing can follow on this group.
    void giveUp() { m_givenUp = true; }
    /// Members ring when there is something to do.
    virtual bool willBeRung() const = 0;

protected:
    Session& session() { return *m_session; }
    int rank() const { return m_rank; }
    int size() const { return m_size; }
    bool givenUp() const { return m_givenUp; }
    bool hasNextPiece() const { return !m_waiting.empty(); }
    Piece takeNextPiece();

private:
    std::shared_ptr<Session> m_session;
    int m_rank;
    int m_size;
    std::size_t m_pieceBytes;
    bool m_givenUp = false;
    std::deque<AllReduceRequest*> m_waiting; ///< with pieces still to take
};

class AllReduceRequest final : public RungRequest
{
public:
    AllReduceRequest(std::shared_ptr<Session> session, AllReduces& all, const Piece& whole,
                     std::size_t pieceBytes);
    ~AllReduceRequest() override;

    bool test() override;
    void markReady(double) override {}
    Timing timing() const override { return m_timing; }
    bool willBeRung() const override { return m_all.willBeRung(); }

    bool hasNextPiece() const { return m_taken < m_pieces; }
    Piece takeNextPiece();
    /// Member `member` of the group is in it, too. Throws DeviceError when it reduces another
    /// number of elements.
    void meet(int member, const MemberHeader& header);
    void pieceDone();
    void complete();

private:
    std::shared_ptr<Session> m_session;
    AllReduces& m_all;
    Piece m_whole;
    std::size_t m_pieceCount; ///< elements
    std::size_t m_pieces;
    std::size_t m_taken = 0;
    std::size_t m_done = 0;
    Timing m_timing;
    bool m_complete = false;
};

} // namespace triaxis::kernels::mpi
