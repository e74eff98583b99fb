#include "kernels/cuda/nccl_communicator.h"

#if defined(TRIAXIS_HAS_NCCL)

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::int64_t trialFloats = 4;

} // namespace

NcclCommunicator::NcclCommunicator(const NcclContext& context, std::unique_ptr<Communicator> hosts,
                                   std::shared_ptr<Staging> staging, Traffic traffic)
    : m_context(context), m_hosts(std::move(hosts)), m_staging(std::move(staging))
{
    const int members = size();
    if (members < 2)
        return;
    switch (traffic) {
    case Traffic::Collectives: {
        std::vector<int> all(static_cast<std::size_t>(members));
        std::iota(all.begin(), all.end(), 0);
        m_all = std::make_shared<NcclLink>(m_context, *m_hosts, all,
                                           "a group of " + std::to_string(members) + " ranks");
        const Buffer data = trialData();
        finish(m_all->allReduce(data.data(), trialFloats, ncclFloat32, Reduction::Sum));
        break;
    }
    case Traffic::Neighbours: {
        // A set: with two members both ways around are the same. All members go through it in
        // order.
        std::set<Channel> channels;
        for (int i = 0; i < members; ++i) {
            channels.insert({i, (i + 1) % members});
            channels.insert({(i + 1) % members, i});
        }
        for (const Channel& each : channels)
            makeChannel(each);
        break;
    }
    case Traffic::HostMemory:
        break;
    }
}

/// Two messages in one communicator run in order, so each direction has one of its own.
void NcclCommunicator::makeChannel(const Channel& channel)
{
    const auto [from, to] = channel;
    if (rank() != from && rank() != to)
        return;
    m_channels[channel] = std::make_shared<NcclLink>(
        m_context, *m_hosts, std::vector<int>{from, to},
        "the channel from stage " + std::to_string(from) + " to " + std::to_string(to));
    NcclLink& link = *m_channels[channel];
    const Buffer data = trialData();
    finish(rank() == from ? link.send(data.data(), data.bytes(), 1)
                          : link.receive(data.data(), data.bytes(), 0));
}

Buffer NcclCommunicator::trialData()
{
    Buffer data = m_context.device.allocateFloats(trialFloats, MemoryUse::Communication);
    const auto stream = m_context.device.makeStream();
    m_context.device.fill(*stream, data.floats(), 0, trialFloats);
    return data;
}

void NcclCommunicator::finish(std::unique_ptr<Request> request)
{
    m_context.hosts.wait(*request);
}

NcclLink* NcclCommunicator::channel(int from, int to, const void* data) const
{
    const auto found = m_channels.find({from, to});
    return found != m_channels.end() && m_context.device.owns(data) ? found->second.get() : nullptr;
}

std::unique_ptr<Request> NcclCommunicator::send(const void* data, std::size_t bytes, int peer,
                                                int tag)
{
    if (NcclLink* const link = channel(rank(), peer, data))
        return link->send(data, bytes, 1);
    return m_staging->send(*m_hosts, data, bytes, peer, tag);
}

std::unique_ptr<Request> NcclCommunicator::receive(void* data, std::size_t bytes, int peer, int tag)
{
    if (NcclLink* const link = channel(peer, rank(), data))
        return link->receive(data, bytes, 0);
    return m_staging->receive(*m_hosts, data, bytes, peer, tag);
}

template <class T>
std::unique_ptr<Request> NcclCommunicator::reduce(T* data, std::int64_t count, ncclDataType_t type,
                                                  Reduction reduction)
{
    if (m_all && m_context.device.owns(data))
        return m_all->allReduce(data, count, type, reduction);
    return m_staging->allReduce(*m_hosts, data, count, reduction);
}

std::unique_ptr<Request> NcclCommunicator::allReduce(float* data, std::int64_t count,
                                                     Reduction reduction)
{
    return reduce(data, count, ncclFloat32, reduction);
}

std::unique_ptr<Request> NcclCommunicator::allReduce(double* data, std::int64_t count,
                                                     Reduction reduction)
{
    return reduce(data, count, ncclFloat64, reduction);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#endif
