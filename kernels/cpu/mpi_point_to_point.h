#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_check.h"
#include "kernels/cpu/mpi_session.h"

#include <array>
#include <memory>

namespace triaxis::kernels::mpi
{

/// The two MPI communicators that point-to-point messages of a group use.
struct Channel
{
    MPI_Comm letters = MPI_COMM_NULL;  ///< a Letter for each message
    MPI_Comm payloads = MPI_COMM_NULL; ///< the data of long ones
};

struct Partner
{
    int rank = 0;      ///< in the group
    int worldRank = 0; ///< by which its bell is known
};

/// What goes ahead of every message. Short data travel in it; long data follow by themselves from
/// where they lie, and their receive is posted when the letter has shown that the sizes agree (a
/// message longer than its receive may overwrite memory in some versions of Open MPI).
struct Letter
{
    static constexpr std::size_t room = 2024;

    double ready = 0; ///< when the sender was ready
    std::uint64_t bytes = 0;
    std::int64_t payloadTag = 0; ///< by which the data follow, when they are long
    std::array<char, room> data;

    static constexpr std::size_t headBytes = 24;
};

class SendRequest final : public RungRequest
{
public:
    /// No two long messages under way to the same peer have the same payloadTag.
    SendRequest(std::shared_ptr<Session> session, const Channel& channel, const void* data,
                std::size_t bytes, const Partner& partner, int tag, int payloadTag);
    ~SendRequest() override;

    bool test() override;
    void markReady(double) override {}
    Timing timing() const override { return m_timing; }
    bool willBeRung() const override { return m_session->bells().reaches(m_partner.worldRank); }

private:
    std::shared_ptr<Session> m_session;
    Partner m_partner;
    Timing m_timing;
    Letter m_letter;
    Transfers m_transfers;
    bool m_complete = false;
};

class ReceiveRequest final : public RungRequest, private Advancing
{
public:
    ReceiveRequest(std::shared_ptr<Session> session, const Channel& channel, void* data,
                   std::size_t bytes, const Partner& partner, int tag);
    ~ReceiveRequest() override;

    bool test() override;
    void markReady(double time) override { m_ready = time; }
    Timing timing() const override;
    /// A payload on its way needs this rank's help.
    bool willBeRung() const override
    {
        return !m_opened && m_session->bells().reaches(m_partner.worldRank);
    }

private:
    bool advance() override { return !m_complete && test(); }
    bool advanceTransfers();
    void open();

    std::shared_ptr<Session> m_session;
    Channel m_channel;
    void* m_data;
    std::size_t m_bytes;
    Partner m_partner;
    int m_tag;
    double m_ready;
    double m_end = 0;
    Letter m_letter;
    Transfers m_transfers;
    bool m_opened = false;
    bool m_complete = false;
};

} // namespace triaxis::kernels::mpi
