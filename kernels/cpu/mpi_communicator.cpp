#include "kernels/cpu/mpi_communicator.h"

#include "kernels/cpu/mpi_message_all_reduce.h"
#include "kernels/cpu/mpi_shared_all_reduce.h"
#include "kernels/error.h"

#include <utility>

namespace triaxis::kernels::mpi
{

namespace
{

constexpr int payloadTagCycle = 32768; ///< the tags that every MPI allows

MPI_Comm duplicate(MPI_Comm communicator)
{
    MPI_Comm copy = MPI_COMM_NULL;
    check(MPI_Comm_dup(communicator, &copy), "making the communicators of a group");
    return copy;
}

std::unique_ptr<AllReduces> makeAllReduces(const std::shared_ptr<Session>& session,
                                           MPI_Comm communicator, int rank,
                                           const std::vector<int>& members)
{
    const int size = static_cast<int>(members.size());
    if (size > 1)
        if (auto segment = SharedSegment::make(communicator, SharedAllReduces::partBytes(size),
                                               session->sharedMemoryWanted()))
            return std::make_unique<SharedAllReduces>(session, std::move(segment), rank, members);
    return std::make_unique<MessageAllReduces>(session, communicator, rank, size);
}

struct Place
{
    int group = MPI_UNDEFINED;
    int position = 0;
};

Place placeOf(int rank, int worldSize, const std::vector<std::vector<int>>& groups)
{
    Place place;
    std::vector<bool> taken(static_cast<std::size_t>(worldSize), false);
    for (std::size_t group = 0; group < groups.size(); ++group)
        for (std::size_t position = 0; position < groups[group].size(); ++position) {
            const int member = groups[group][position];
            if (member < 0 || member >= worldSize)
                throw DeviceError("making groups: rank " + std::to_string(member) +
                                  " is none of the " + std::to_string(worldSize) + " ranks");
            if (taken[static_cast<std::size_t>(member)])
                throw DeviceError("making groups: rank " + std::to_string(member) +
                                  " is named twice");
            taken[static_cast<std::size_t>(member)] = true;
            if (member == rank)
                place = {static_cast<int>(group), static_cast<int>(position)};
        }
    return place;
}

} // namespace

OwnedCommunicator::OwnedCommunicator(std::shared_ptr<Session> session, MPI_Comm communicator)
    : m_session(std::move(session)), m_communicator(communicator)
{
    check(MPI_Comm_set_errhandler(communicator, MPI_ERRORS_RETURN), "setting up a group");
}

OwnedCommunicator::~OwnedCommunicator()
{
    if (!m_session->unwinding())
        MPI_Comm_free(&m_communicator);
}

MpiCommunicator::MpiCommunicator(std::shared_ptr<Session> session, MPI_Comm letters,
                                 std::vector<int> members)
    : m_session(std::move(session)), m_letters(m_session, letters),
      m_payloads(m_session, duplicate(letters)), m_collectives(m_session, duplicate(letters)),
      m_members(std::move(members)), m_size(static_cast<int>(m_members.size()))
{
    check(MPI_Comm_rank(letters, &m_rank), "asking for the rank in a group");
    m_payloadsSent.resize(static_cast<std::size_t>(m_size));
    warmUp();
    m_allReduces = makeAllReduces(m_session, m_collectives.get(), m_rank, m_members);
}

void MpiCommunicator::requirePeer(int peer, int tag) const
{
    if (peer < 0 || peer >= m_size)
        throw DeviceError("a message for rank " + std::to_string(peer) + " of a group of " +
                          std::to_string(m_size) + " was asked for");
    if (tag < 0)
        throw DeviceError("a message with the negative tag " + std::to_string(tag) +
                          " was asked for");
}

void MpiCommunicator::warmUp()
{
    std::vector<char> received(static_cast<std::size_t>(m_size));
    const char greeting = 1;
    Transfers transfers;
    for (int peer = 0; peer < m_size; ++peer)
        if (peer != m_rank)
            transfers.receive(&received[static_cast<std::size_t>(peer)], 1, peer, 0,
                              m_collectives.get());
    for (int i = 1; i < m_size; ++i)
        transfers.send(&greeting, 1, (m_rank + i) % m_size, 0, m_collectives.get());
    for (Pause pause(m_session->waitPolicy()); !transfers.test();)
        pause();
}

std::unique_ptr<Request> MpiCommunicator::send(const void* data, std::size_t bytes, int peer,
                                               int tag)
{
    requirePeer(peer, tag);
    int& sent = m_payloadsSent[static_cast<std::size_t>(peer)];
    sent = (sent + 1) % payloadTagCycle;
    return std::make_unique<SendRequest>(m_session, Channel{m_letters.get(), m_payloads.get()},
                                         data, bytes, partner(peer), tag, sent);
}

std::unique_ptr<Request> MpiCommunicator::receive(void* data, std::size_t bytes, int peer, int tag)
{
    requirePeer(peer, tag);
    return std::make_unique<ReceiveRequest>(m_session, Channel{m_letters.get(), m_payloads.get()},
                                            data, bytes, partner(peer), tag);
}

std::unique_ptr<Request> MpiCommunicator::allReduce(float* data, std::int64_t count,
                                                    Reduction reduction)
{
    return m_allReduces->issue(data, count, Element::Float, reduction);
}

std::unique_ptr<Request> MpiCommunicator::allReduce(double* data, std::int64_t count,
                                                    Reduction reduction)
{
    return m_allReduces->issue(data, count, Element::Double, reduction);
}

std::unique_ptr<Communicator> makeGroup(const std::shared_ptr<Session>& session,
                                        const std::vector<std::vector<int>>& groups)
{
    const Place place = placeOf(session->rank(), session->size(), groups);
    const HandingOver whileMaking;
    MPI_Comm members = MPI_COMM_NULL;
    check(MPI_Comm_split(MPI_COMM_WORLD, place.group, place.position, &members), "making a group");
    if (members == MPI_COMM_NULL)
        return nullptr;
    return std::make_unique<MpiCommunicator>(session, members,
                                             groups[static_cast<std::size_t>(place.group)]);
}

} // namespace triaxis::kernels::mpi
