#include "kernels/cpu/mpi_all_reduce.h"

#include "kernels/error.h"

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr std::size_t segmentGranule = 16; ///< elements: whole cache lines

std::size_t dividedUp(std::size_t value, std::size_t by)
{
    return (value + by - 1) / by;
}

} // namespace

Segment segmentOf(const Piece& piece, int member, int members)
{
    const std::size_t even = dividedUp(piece.count, static_cast<std::size_t>(members));
    const std::size_t stride = dividedUp(even, segmentGranule) * segmentGranule;
    const std::size_t begin = std::min(piece.count, stride * static_cast<std::size_t>(member));
    const std::size_t offset = piece.bytes(begin);
    return {piece.data + offset, offset, std::min(stride, piece.count - begin)};
}

AllReduces::AllReduces(std::shared_ptr<Session> session, int rank, int size, std::size_t pieceBytes)
    : m_session(std::move(session)), m_rank(rank), m_size(size), m_pieceBytes(pieceBytes)
{
    m_session->add(*this);
}

AllReduces::~AllReduces()
{
    m_session->remove(*this);
}

std::unique_ptr<Request> AllReduces::issue(void* data, std::int64_t count, Element element,
                                           Reduction reduction)
{
    if (count < 0)
        throw DeviceError("an all-reduce of " + std::to_string(count) + " elements was asked for");
    Piece whole;
    whole.data = static_cast<char*>(data);
    whole.count = static_cast<std::size_t>(count);
    whole.element = element;
    whole.reduction = reduction;
    auto request = std::make_unique<AllReduceRequest>(m_session, *this, whole, m_pieceBytes);
    if (m_size == 1) {
        request->complete();
    } else {
        m_waiting.push_back(request.get());
        advance();
    }
    return request;
}

Piece AllReduces::takeNextPiece()
{
    AllReduceRequest& request = *m_waiting.front();
    Piece piece = request.takeNextPiece();
    if (!request.hasNextPiece())
        m_waiting.pop_front();
    return piece;
}

AllReduceRequest::AllReduceRequest(std::shared_ptr<Session> session, AllReduces& all,
                                   const Piece& whole, std::size_t pieceBytes)
    : m_session(std::move(session)), m_all(all), m_whole(whole),
      m_pieceCount(pieceBytes / elementBytes(whole.element)),
      m_pieces(std::max<std::size_t>(1, dividedUp(whole.count, m_pieceCount)))
{
    m_timing.ready = m_timing.begin = m_session->clock().now();
    m_whole.request = this;
    m_whole.header = {.ready = m_timing.ready, .count = static_cast<std::int64_t>(whole.count)};
}

AllReduceRequest::~AllReduceRequest()
{
    assert(m_complete || std::uncaught_exceptions() > 0);
    if (!m_complete)
        m_all.giveUp();
}

bool AllReduceRequest::test()
{
    if (m_complete)
        return true;
    try {
        m_all.advance();
    } catch (...) {
        m_complete = true;
        m_all.giveUp();
        throw;
    }
    return m_complete;
}

Piece AllReduceRequest::takeNextPiece()
{
    const std::size_t begin = m_taken * m_pieceCount;
    Piece piece = m_whole;
    piece.data += m_whole.bytes(begin);
    piece.count = std::min(m_pieceCount, m_whole.count - begin);
    piece.first = m_taken == 0;
    ++m_taken;
    return piece;
}

void AllReduceRequest::meet(int member, const MemberHeader& header)
{
    if (header.count != m_whole.header.count)
        throw DeviceError("an all-reduce of " + std::to_string(m_whole.count) +
                          " elements met one of " + std::to_string(header.count) +
                          " elements on rank " + std::to_string(member) + " of its group");
    m_timing.begin = std::max(m_timing.begin, header.ready);
}

void AllReduceRequest::pieceDone()
{
    if (++m_done == m_pieces)
        complete();
}

void AllReduceRequest::complete()
{
    m_complete = true;
    m_timing.end = m_session->clock().now();
    m_timing.begin = std::min(m_timing.begin, m_timing.end);
}

} // namespace triaxis::kernels::mpi
