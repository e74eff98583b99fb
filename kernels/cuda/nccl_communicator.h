#pragma once

#if defined(TRIAXIS_HAS_NCCL)

#include "kernels/cuda/nccl_link.h"
#include "kernels/cuda/staging.h"

#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// A group whose messages of device memory go from GPU to GPU. What lies on the host, or goes to a
/// peer for whom there is no link, goes by way of the host.
class NcclCommunicator final : public Communicator
{
public:
    /// Collective over the members: all links are made here, in one order.
    NcclCommunicator(const NcclContext& context, std::unique_ptr<Communicator> hosts,
                     std::shared_ptr<Staging> staging, Traffic traffic);

    int rank() const override { return m_hosts->rank(); }
    int size() const override { return m_hosts->size(); }
    std::unique_ptr<Request> send(const void* data, std::size_t bytes, int peer, int tag) override;
    std::unique_ptr<Request> receive(void* data, std::size_t bytes, int peer, int tag) override;
    std::unique_ptr<Request> allReduce(float* data, std::int64_t count,
                                       Reduction reduction) override;
    std::unique_ptr<Request> allReduce(double* data, std::int64_t count,
                                       Reduction reduction) override;

private:
    using Channel = std::pair<int, int>; ///< from, to

    void makeChannel(const Channel& channel);
    /// Connections are made by a link's first operation, when both ends call it. That is a trial
    /// here, where all members come in one order; in a step two could wait for each other.
    Buffer trialData();
    void finish(std::unique_ptr<Request> request);
    NcclLink* channel(int from, int to, const void* data) const;
    template <class T>
    std::unique_ptr<Request> reduce(T* data, std::int64_t count, ncclDataType_t type,
                                    Reduction reduction);

    NcclContext m_context;
    std::unique_ptr<Communicator> m_hosts;
    std::shared_ptr<Staging> m_staging;
    std::shared_ptr<NcclLink> m_all; ///< for collectives
    std::map<Channel, std::shared_ptr<NcclLink>> m_channels;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#endif
