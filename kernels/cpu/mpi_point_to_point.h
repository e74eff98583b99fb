#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_check.h"
#include "kernels/cpu/mpi_session.h"

#include <memory>
#include <vector>

namespace triaxis::kernels::mpi {

/// Messages up to this size travel in one piece with the ready time of their sender; longer ones
/// are sent from where they lie, with the ready time in a message of its own beside them.
inline constexpr std::size_t largestPackedMessage = 2048;

/// The two MPI communicators that point-to-point messages of a group use: payloads, and ready times
/// of unpacked messages.
struct Channel
{
    MPI_Comm payload = MPI_COMM_NULL;
    MPI_Comm times = MPI_COMM_NULL;
};

class SendRequest final : public Request
{
public:
    SendRequest(std::shared_ptr<Session> session, const Channel& channel, const void* data,
                std::size_t bytes, int peer, int tag);

    bool test() override;
    void markReady(double) override {}
    Timing timing() const override { return m_timing; }

private:
    std::shared_ptr<Session> m_session;
    Timing m_timing;
    std::vector<char> m_packed;
    Transfers m_transfers;
    bool m_complete = false;
};

class ReceiveRequest final : public Request
{
public:
    ReceiveRequest(std::shared_ptr<Session> session, const Channel& channel, void* data,
                   std::size_t bytes, int peer, int tag);

    bool test() override;
    void markReady(double time) override;
    Timing timing() const override;

private:
    std::shared_ptr<Session> m_session;
    void* m_data;
    std::size_t m_bytes;
    double m_ready = 0;
    double m_end = 0;
    double m_senderReady = 0;
    std::vector<char> m_packed;
    Transfers m_transfers;
    bool m_complete = false;
};

} // namespace triaxis::kernels::mpi
