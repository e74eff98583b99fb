#include "kernels/cpu/mpi_point_to_point.h"

#include "kernels/error.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>

namespace triaxis::kernels::mpi
{

static_assert(offsetof(Letter, data) == Letter::headBytes);

SendRequest::SendRequest(std::shared_ptr<Session> session, const Channel& channel, const void* data,
                         std::size_t bytes, const Partner& partner, int tag, int payloadTag)
    : m_session(std::move(session)), m_partner(partner)
{
    m_timing.ready = m_timing.begin = m_session->clock().now();
    m_letter.ready = m_timing.ready;
    m_letter.bytes = bytes;
    m_letter.payloadTag = payloadTag;
    const bool inside = bytes <= Letter::room;
    if (inside && bytes > 0)
        std::memcpy(m_letter.data.data(), data, bytes);
    m_transfers.send(&m_letter, Letter::headBytes + (inside ? bytes : 0), partner.rank, tag,
                     channel.letters);
    if (!inside)
        m_transfers.send(data, bytes, partner.rank, payloadTag, channel.payloads);
    m_session->bells().ring(partner.worldRank);
}

SendRequest::~SendRequest()
{
    assert(m_complete || std::uncaught_exceptions() > 0);
}

bool SendRequest::test()
{
    if (m_complete || !m_transfers.test())
        return m_complete;
    m_complete = true;
    m_timing.end = m_session->clock().now();
    return true;
}

ReceiveRequest::ReceiveRequest(std::shared_ptr<Session> session, const Channel& channel, void* data,
                               std::size_t bytes, const Partner& partner, int tag)
    : m_session(std::move(session)), m_channel(channel), m_data(data), m_bytes(bytes),
      m_partner(partner), m_tag(tag), m_ready(m_session->clock().now())
{
    m_transfers.receiveUpTo(&m_letter, sizeof m_letter, partner.rank, tag, channel.letters);
    m_session->add(*this);
}

ReceiveRequest::~ReceiveRequest()
{
    assert(m_complete || std::uncaught_exceptions() > 0);
    m_session->remove(*this);
}

bool ReceiveRequest::test()
{
    if (m_complete)
        return true;
    try {
        m_complete = advanceTransfers();
    } catch (...) {
        m_complete = true;
        throw;
    }
    if (m_complete)
        m_end = m_session->clock().now();
    return m_complete;
}

bool ReceiveRequest::advanceTransfers()
{
    if (!m_opened) {
        if (!m_transfers.test())
            return false;
        open();
    }
    const bool done = m_transfers.test();
    m_session->bells().ring(m_partner.worldRank); // it may have to push the payload, or can go on
    return done;
}

void ReceiveRequest::open()
{
    m_opened = true;
    if (m_letter.bytes != m_bytes)
        throw DeviceError("a message with tag " + std::to_string(m_tag) + " from rank " +
                          std::to_string(m_partner.rank) + " of its group has " +
                          std::to_string(m_letter.bytes) + " bytes where " +
                          std::to_string(m_bytes) + " were expected");
    if (m_bytes > Letter::room)
        m_transfers.receive(m_data, m_bytes, m_partner.rank, static_cast<int>(m_letter.payloadTag),
                            m_channel.payloads);
    else if (m_bytes > 0)
        std::memcpy(m_data, m_letter.data.data(), m_bytes);
}

Timing ReceiveRequest::timing() const
{
    const double end = std::max(m_end, m_ready);
    return {.ready = m_ready, .begin = std::clamp(m_letter.ready, m_ready, end), .end = end};
}

} // namespace triaxis::kernels::mpi
