#include "kernels/cpu/mpi_shared_all_reduce.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr std::size_t bytesPerMember = 64 * 1024;
constexpr std::size_t smallestSlot = 64 * 1024;
constexpr std::size_t largestGroupBytes = 32 * 1024 * 1024;
constexpr std::size_t pageBytes = 4096;

/// Pieces that one advance() takes a stage further: some tenths of a millisecond, so that
/// progress() stays short.
constexpr int turnsAtATime = 4;

} // namespace

std::size_t SharedAllReduces::slotBytes(int members)
{
    const auto n = static_cast<std::size_t>(members);
    const std::size_t fitting = largestGroupBytes / (n * slots);
    return std::max(smallestSlot, std::min(bytesPerMember * n, fitting) / pageBytes * pageBytes);
}

std::size_t SharedAllReduces::partBytes(int members)
{
    static_assert(sizeof(Progress) <= pageBytes);
    return pageBytes + slots * slotBytes(members);
}

SharedAllReduces::SharedAllReduces(std::shared_ptr<Session> session,
                                   std::unique_ptr<SharedSegment> segment, int rank,
                                   std::vector<int> members)
    : AllReduces(std::move(session), rank, static_cast<int>(members.size()),
                 slotBytes(static_cast<int>(members.size()))),
      m_segment(std::move(segment)), m_members(std::move(members)), m_slotBytes(slotBytes(size())),
      m_sources(m_members.size()), m_roomUntil(slots)
{
    for (const int member : m_members)
        m_rung = m_rung && this->session().bells().reaches(member);
}

SharedAllReduces::Progress& SharedAllReduces::progress(int member) const
{
    // The segment is all zeros when it is made, which is a valid Progress: nothing done yet.
    return *reinterpret_cast<Progress*>(m_segment->part(member));
}

char* SharedAllReduces::slot(int member, std::int64_t piece) const
{
    return m_segment->part(member) + pageBytes +
           static_cast<std::size_t>(piece % slots) * m_slotBytes;
}

Piece& SharedAllReduces::piece(std::int64_t index)
{
    return m_pieces[static_cast<std::size_t>(index - m_finished)];
}

bool SharedAllReduces::exchanged(const Piece& piece) const
{
    return piece.bytes(piece.count) <= (size() == 2 ? largestExchangeOfTwo : largestExchange);
}

bool SharedAllReduces::advance()
{
    bool moved = false;
    for (int turn = 0; turn < turnsAtATime && !givenUp(); ++turn) {
        const bool copied = copyNext();
        const bool reduced = reduceNext();
        const bool finished = finishNext();
        if (!copied && !reduced && !finished)
            break;
        moved = true;
    }
    return moved;
}

/// Of the other members.
std::int64_t SharedAllReduces::fewest(Stage Progress::*stage) const
{
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (int member = 0; member < size(); ++member)
        if (member != rank())
            least =
                std::min(least, (progress(member).*stage).pieces.load(std::memory_order_acquire));
    return least;
}

/// Publishes a stage that others wait for. The last member to finish it rings the others; of two
/// who finish it at the same time at least one sees both.
void SharedAllReduces::tell(Stage Progress::*stage, std::int64_t pieces)
{
    (progress(rank()).*stage).pieces.store(pieces, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (!m_rung || fewest(stage) < pieces)
        return;
    for (int member = 0; member < size(); ++member)
        if (member != rank())
            ring(member);
}

/// Gives the slots of a finished piece free, and rings the members that have used up theirs.
void SharedAllReduces::tellFinished()
{
    progress(rank()).finished.pieces.store(++m_finished, std::memory_order_release);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    for (int member = 0; member < size() && m_rung; ++member)
        if (member != rank() && progress(member).copied.pieces.load(std::memory_order_relaxed) >=
                                    m_finished - 1 + slots)
            ring(member);
}

void SharedAllReduces::ring(int member)
{
    session().bells().ring(m_members[static_cast<std::size_t>(member)]);
}

bool SharedAllReduces::copyNext()
{
    if (!hasNextPiece())
        return false;
    if (m_copied >= m_roomUntil) {
        m_roomUntil = std::min(m_finished, fewest(&Progress::finished)) + slots;
        if (m_copied >= m_roomUntil)
            return false;
    }
    const Piece next = takeNextPiece();
    char* to = slot(rank(), m_copied);
    if (exchanged(next)) {
        if (next.count > 0)
            std::memcpy(to, next.data, next.bytes(next.count));
    } else {
        for (int member = 0; member < size(); ++member) {
            const Segment part = segmentOf(next, member, size());
            if (member != rank() && part.count > 0)
                std::memcpy(to + part.offset, part.data, next.bytes(part.count));
        }
    }
    progress(rank()).copied.headers[m_copied % slots] = next.header;
    m_pieces.push_back(next);
    tell(&Progress::copied, ++m_copied);
    return true;
}

bool SharedAllReduces::reduceNext()
{
    if (m_reduced >= m_copied || fewest(&Progress::copied) <= m_reduced)
        return false;
    const Piece& next = piece(m_reduced);
    meetAll(next);
    if (exchanged(next))
        reduceWhole(next);
    else
        reduceOwnSegment(next);
    tell(&Progress::reduced, ++m_reduced);
    return true;
}

void SharedAllReduces::meetAll(const Piece& piece)
{
    for (int member = 0; member < size() && piece.first; ++member)
        if (member != rank())
            piece.request->meet(member, progress(member).copied.headers[m_reduced % slots]);
}

void SharedAllReduces::reduceWhole(const Piece& piece)
{
    for (int member = 0; member < size(); ++member)
        m_sources[static_cast<std::size_t>(member)] =
            member == rank() ? piece.data : slot(member, m_reduced);
    reduceInOrder(piece.data, nullptr, m_sources, piece.count, piece.element, piece.reduction);
}

void SharedAllReduces::reduceOwnSegment(const Piece& piece)
{
    const Segment own = segmentOf(piece, rank(), size());
    if (own.count == 0)
        return;
    for (int member = 0; member < size(); ++member)
        m_sources[static_cast<std::size_t>(member)] =
            member == rank() ? own.data : slot(member, m_reduced) + own.offset;
    reduceInOrder(own.data, slot(rank(), m_reduced) + own.offset, m_sources, own.count,
                  piece.element, piece.reduction);
}

bool SharedAllReduces::finishNext()
{
    if (m_finished >= m_reduced)
        return false;
    const Piece next = m_pieces.front();
    if (!exchanged(next)) {
        if (fewest(&Progress::reduced) <= m_finished)
            return false;
        for (int member = 0; member < size(); ++member) {
            const Segment part = segmentOf(next, member, size());
            if (member != rank() && part.count > 0)
                std::memcpy(part.data, slot(member, m_finished) + part.offset,
                            next.bytes(part.count));
        }
    }
    m_pieces.pop_front();
    tellFinished();
    next.request->pieceDone();
    return true;
}

} // namespace triaxis::kernels::mpi
