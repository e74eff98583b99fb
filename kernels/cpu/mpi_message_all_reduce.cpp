#include "kernels/cpu/mpi_message_all_reduce.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr int piecesUnderWay = 4;
constexpr std::size_t pieceBytesPerMember = 256 * 1024;
constexpr int tagsPerPiece = 3;
constexpr int tagCycle =
    8192; ///< pieces; 3 · 8192 stays below the smallest upper bound of tags that MPI allows

} // namespace

PieceByMessages::PieceByMessages(MPI_Comm communicator, int rank, int size)
    : m_communicator(communicator), m_rank(rank), m_size(size),
      m_headers(static_cast<std::size_t>(size)), m_sources(static_cast<std::size_t>(size))
{
}

void PieceByMessages::start(const Piece& piece, int tag)
{
    m_piece = piece;
    m_tag = tag;
    m_busy = true;
    m_reduced = false;
    m_gathering = false;
    m_exchange = piece.bytes(piece.count) <= largestExchange;
    m_headers[static_cast<std::size_t>(m_rank)] = piece.header;
    if (m_exchange)
        startExchange();
    else
        startSegments();
}

bool PieceByMessages::advance()
{
    if (m_exchange ? !advanceExchange() : !advanceSegments())
        return false;
    m_busy = false;
    return true;
}

void PieceByMessages::meetAll()
{
    for (int turn = 1; turn < m_size && m_piece.first; ++turn)
        m_piece.request->meet(peer(turn), m_headers[static_cast<std::size_t>(peer(turn))]);
}

char* PieceByMessages::staging(int member, std::size_t stride)
{
    const auto place = static_cast<std::size_t>(member < m_rank ? member : member - 1);
    return m_staging.data() + place * stride;
}

void PieceByMessages::startExchange()
{
    const std::size_t bytes = m_piece.bytes(m_piece.count);
    const std::size_t message = sizeof(MemberHeader) + bytes;
    m_outgoing.resize(std::max(m_outgoing.size(), message));
    m_staging.resize(std::max(m_staging.size(), message * static_cast<std::size_t>(m_size - 1)));
    std::memcpy(m_outgoing.data(), &m_piece.header, sizeof(MemberHeader));
    if (bytes > 0)
        std::memcpy(m_outgoing.data() + sizeof(MemberHeader), m_piece.data, bytes);
    for (int turn = 1; turn < m_size; ++turn)
        m_receives.receive(staging(peer(turn), message), message, peer(turn), m_tag,
                           m_communicator);
    for (int turn = 1; turn < m_size; ++turn)
        m_sends.send(m_outgoing.data(), message, peer(turn), m_tag, m_communicator);
}

bool PieceByMessages::advanceExchange()
{
    if (m_reduced)
        return m_sends.test();
    if (!m_receives.test())
        return false;
    const std::size_t message = sizeof(MemberHeader) + m_piece.bytes(m_piece.count);
    for (int member = 0; member < m_size; ++member) {
        const auto i = static_cast<std::size_t>(member);
        if (member == m_rank) {
            m_sources[i] = m_piece.data;
            continue;
        }
        std::memcpy(&m_headers[i], staging(member, message), sizeof(MemberHeader));
        m_sources[i] = staging(member, message) + sizeof(MemberHeader);
    }
    meetAll();
    reduceInOrder(m_piece.data, nullptr, m_sources, m_piece.count, m_piece.element,
                  m_piece.reduction);
    m_reduced = true;
    return m_sends.test();
}

void PieceByMessages::startSegments()
{
    const Segment own = segmentOf(m_piece, m_rank, m_size);
    const std::size_t ownBytes = m_piece.bytes(own.count);
    m_staging.resize(std::max(m_staging.size(), ownBytes * static_cast<std::size_t>(m_size - 1)));
    for (int turn = 1; turn < m_size; ++turn) {
        if (m_piece.first)
            m_receives.receive(&m_headers[static_cast<std::size_t>(peer(turn))],
                               sizeof(MemberHeader), peer(turn), m_tag + 2, m_communicator);
        if (own.count > 0)
            m_receives.receive(staging(peer(turn), ownBytes), ownBytes, peer(turn), m_tag,
                               m_communicator);
    }
    for (int turn = 1; turn < m_size; ++turn) {
        if (m_piece.first)
            m_sends.send(&m_headers[static_cast<std::size_t>(m_rank)], sizeof(MemberHeader),
                         peer(turn), m_tag + 2, m_communicator);
        const Segment theirs = segmentOf(m_piece, peer(turn), m_size);
        if (theirs.count > 0)
            m_sends.send(theirs.data, m_piece.bytes(theirs.count), peer(turn), m_tag,
                         m_communicator);
    }
}

void PieceByMessages::reduceOwnSegment()
{
    const Segment own = segmentOf(m_piece, m_rank, m_size);
    const std::size_t ownBytes = m_piece.bytes(own.count);
    for (int member = 0; member < m_size && own.count > 0; ++member)
        m_sources[static_cast<std::size_t>(member)] =
            member == m_rank ? own.data : staging(member, ownBytes);
    reduceInOrder(own.data, nullptr, m_sources, own.count, m_piece.element, m_piece.reduction);
    for (int turn = 1; turn < m_size && own.count > 0; ++turn)
        m_results.send(own.data, ownBytes, peer(turn), m_tag + 1, m_communicator);
}

void PieceByMessages::gather()
{
    for (int turn = 1; turn < m_size; ++turn) {
        const Segment theirs = segmentOf(m_piece, peer(turn), m_size);
        if (theirs.count > 0)
            m_gathered.receive(theirs.data, m_piece.bytes(theirs.count), peer(turn), m_tag + 1,
                               m_communicator);
    }
}

bool PieceByMessages::advanceSegments()
{
    if (!m_reduced && m_receives.test()) {
        meetAll();
        reduceOwnSegment();
        m_reduced = true;
    }
    // MPI may read the segments of the others until they have been sent: only then may results
    // arrive there.
    if (!m_gathering && m_sends.test()) {
        gather();
        m_gathering = true;
    }
    return m_reduced && m_gathering && m_gathered.test() && m_results.test();
}

MessageAllReduces::MessageAllReduces(std::shared_ptr<Session> session, MPI_Comm communicator,
                                     int rank, int size)
    : AllReduces(std::move(session), rank, size,
                 pieceBytesPerMember * static_cast<std::size_t>(size))
{
    for (int i = 0; i < piecesUnderWay; ++i)
        m_slots.push_back({std::make_unique<PieceByMessages>(communicator, rank, size), nullptr});
}

bool MessageAllReduces::startPieces()
{
    bool started = false;
    for (Slot& slot : m_slots) {
        if (!hasNextPiece())
            break;
        if (slot.work->busy())
            continue;
        const Piece piece = takeNextPiece();
        const auto tag = static_cast<int>(m_started++ % tagCycle) * tagsPerPiece;
        slot.owner = piece.request;
        slot.work->start(piece, tag);
        started = true;
    }
    return started;
}

bool MessageAllReduces::advance()
{
    if (givenUp())
        return false;
    bool moved = false;
    for (Slot& slot : m_slots)
        if (slot.work->busy() && slot.work->advance()) {
            slot.owner->pieceDone();
            moved = true;
        }
    return startPieces() || moved;
}

} // namespace triaxis::kernels::mpi
