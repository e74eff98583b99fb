#pragma once

#include "kernels/communicator.h"
#include "kernels/cpu/mpi_all_reduce.h"
#include "kernels/cpu/mpi_point_to_point.h"

#include <memory>
#include <vector>

namespace triaxis::kernels::mpi
{

/// An MPI communicator that is released with the object, unless an exception unwinds (the other
/// ranks are elsewhere then).
class OwnedCommunicator
{
public:
    OwnedCommunicator(std::shared_ptr<Session> session, MPI_Comm communicator);
    ~OwnedCommunicator();
    OwnedCommunicator(const OwnedCommunicator&) = delete;
    OwnedCommunicator& operator=(const OwnedCommunicator&) = delete;

    MPI_Comm get() const { return m_communicator; }

private:
    std::shared_ptr<Session> m_session;
    MPI_Comm m_communicator;
};

/// A group of ranks over MPI: one MPI communicator each for letters, for long payloads and for
/// collectives, so that no tag of the caller meets one of ours.
class MpiCommunicator final : public Communicator
{
public:
    /// Collective over the members; takes `letters` over. Each pair of members exchanges a message.
    /// `members`: their ranks in the world, in the order of `letters`.
    MpiCommunicator(std::shared_ptr<Session> session, MPI_Comm letters, std::vector<int> members);

    int rank() const override { return m_rank; }
    int size() const override { return m_size; }
    std::unique_ptr<Request> send(const void* data, std::size_t bytes, int peer, int tag) override;
    std::unique_ptr<Request> receive(void* data, std::size_t bytes, int peer, int tag) override;
    std::unique_ptr<Request> allReduce(float* data, std::int64_t count,
                                       Reduction reduction) override;
    std::unique_ptr<Request> allReduce(double* data, std::int64_t count,
                                       Reduction reduction) override;

private:
    void requirePeer(int peer, int tag) const;
    Partner partner(int peer) const { return {peer, m_members[static_cast<std::size_t>(peer)]}; }
    void warmUp();

    std::shared_ptr<Session> m_session;
    OwnedCommunicator m_letters;
    OwnedCommunicator m_payloads;
    OwnedCommunicator m_collectives;
    std::vector<int> m_members;
    int m_rank = 0;
    int m_size = 1;
    std::vector<int> m_payloadsSent; ///< to each member
    std::unique_ptr<AllReduces> m_allReduces;
};

/// Collective over all ranks; see World::makeGroup.
std::unique_ptr<Communicator> makeGroup(const std::shared_ptr<Session>& session,
                                        const std::vector<std::vector<int>>& groups);

} // namespace triaxis::kernels::mpi
