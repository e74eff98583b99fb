#pragma once

#include "kernels/communicator.h"
#include "kernels/cuda/cuda_device.h"

#include <list>
#include <memory>
#include <optional>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

class StagedRequest;

/// Messages of a GPU by way of the host: copied to pinned memory, sent with MPI, copied back. Works
/// wherever MPI does, also for several ranks on one GPU.
class Staging
{
public:
    Staging(CudaDevice& device, World& hosts) : m_device(device), m_hosts(hosts) {}

    std::unique_ptr<Request> send(Communicator& group, const void* data, std::size_t bytes,
                                  int peer, int tag);
    std::unique_ptr<Request> receive(Communicator& group, void* data, std::size_t bytes, int peer,
                                     int tag);
    template <class T>
    std::unique_ptr<Request> allReduce(Communicator& group, T* data, std::int64_t count,
                                       Reduction reduction);

    /// Moves everything under way on. What is ready is started in the order in which it was asked
    /// for, which is the same on all members of a group.
    void advance();

private:
    friend class StagedRequest;

    PinnedBuffer take(std::size_t bytes);
    void giveBack(PinnedBuffer buffer);
    std::unique_ptr<Request> add(std::unique_ptr<StagedRequest> request);

    CudaDevice& m_device;
    World& m_hosts;
    CudaStream m_toHost{CudaStream::Urgency::High};
    CudaStream m_toDevice{CudaStream::Urgency::High};
    std::list<StagedRequest*> m_underWay; ///< in the order in which they were asked for
    std::map<std::size_t, std::vector<PinnedBuffer>> m_free;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
