#pragma once

#include "kernels/cpu/mpi_all_reduce.h"
#include "kernels/cpu/mpi_check.h"

#include <memory>
#include <vector>

namespace triaxis::kernels::mpi
{

/// Reduces one piece at a time by messages. Pieces of at most largestExchange bytes: every member
/// sends all of it to every other and adds up by itself (one message time). Larger ones: member i
/// receives the i-th segment from all, adds it up and sends the result to all: 2(n−1)/n of the
/// bytes per member, in two message times.
class PieceByMessages
{
public:
    static constexpr std::size_t largestExchange = 16 * 1024;

    PieceByMessages(MPI_Comm communicator, int rank, int size);

    bool busy() const { return m_busy; }
    /// Uses the tags `tag` … `tag` + 2.
    void start(const Piece& piece, int tag);
    /// Moves it on without blocking; true once the result lies in place.
    bool advance();

private:
    void startExchange();
    bool advanceExchange();
    void startSegments();
    bool advanceSegments();
    void reduceOwnSegment();
    void gather();
    void meetAll();
    int peer(int turn) const { return (m_rank + turn) % m_size; }
    char* staging(int member, std::size_t stride);

    MPI_Comm m_communicator;
    int m_rank;
    int m_size;
    Piece m_piece;
    int m_tag = 0;
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

/// All-reduces by messages: works wherever MPI does. A few pieces are under way at a time.
class MessageAllReduces final : public AllReduces
{
public:
    MessageAllReduces(std::shared_ptr<Session> session, MPI_Comm communicator, int rank, int size);

    bool advance() override;
    bool willBeRung() const override { return false; }

private:
    struct Slot
    {
        std::unique_ptr<PieceByMessages> work;
        AllReduceRequest* owner = nullptr;
    };

    bool startPieces();

    std::int64_t m_started = 0;
    std::vector<Slot> m_slots;
};

} // namespace triaxis::kernels::mpi
