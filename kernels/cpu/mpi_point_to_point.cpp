#include "kernels/cpu/mpi_point_to_point.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace triaxis::kernels::mpi {

SendRequest::SendRequest(std::shared_ptr<Session> session, const Channel& channel, const void* data,
                         std::size_t bytes, int peer, int tag)
    : m_session(std::move(session))
{
    m_timing.ready = m_timing.begin = m_session->clock().now();
    if (bytes > largestPackedMessage) {
        m_transfers.send(&m_timing.ready, sizeof(double), peer, tag, channel.times);
        m_transfers.send(data, bytes, peer, tag, channel.payload);
        return;
    }
    m_packed.resize(sizeof(double) + bytes);
    std::memcpy(m_packed.data(), &m_timing.ready, sizeof(double));
    if (bytes > 0)
        std::memcpy(m_packed.data() + sizeof(double), data, bytes);
    m_transfers.send(m_packed.data(), m_packed.size(), peer, tag, channel.payload);
}

bool SendRequest::test()
{
    if (m_complete)
        return true;
    m_complete = m_transfers.test();
    if (m_complete)
        m_timing.end = m_session->clock().now();
    return m_complete;
}

ReceiveRequest::ReceiveRequest(std::shared_ptr<Session> session, const Channel& channel, void* data,
                               std::size_t bytes, int peer, int tag)
    : m_session(std::move(session)), m_data(data), m_bytes(bytes), m_ready(m_session->clock().now())
{
    if (bytes > largestPackedMessage) {
        m_transfers.receive(&m_senderReady, sizeof(double), peer, tag, channel.times);
        m_transfers.receive(data, bytes, peer, tag, channel.payload);
        return;
    }
    m_packed.resize(sizeof(double) + bytes);
    m_transfers.receive(m_packed.data(), m_packed.size(), peer, tag, channel.payload);
}

bool ReceiveRequest::test()
{
    if (m_complete)
        return true;
    if (!m_transfers.test())
        return false;
    m_complete = true;
    m_end = m_session->clock().now();
    if (!m_packed.empty()) {
        std::memcpy(&m_senderReady, m_packed.data(), sizeof(double));
        if (m_bytes > 0)
            std::memcpy(m_data, m_packed.data() + sizeof(double), m_bytes);
    }
    return true;
}

void ReceiveRequest::markReady(double time)
{
    m_ready = time;
}

Timing ReceiveRequest::timing() const
{
    const double end = std::max(m_end, m_ready);
    return {.ready = m_ready, .begin = std::clamp(m_senderReady, m_ready, end), .end = end};
}

} // namespace triaxis::kernels::mpi
