#pragma once

#if defined(TRIAXIS_HAS_NCCL)

#include "kernels/communicator.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/stream_clock.h"

#include <nccl.h>

#include <memory>
#include <string>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// "NCCL 2.28.9"
std::string ncclName();

class NcclLink;

/// What the links of a rank share.
struct NcclContext
{
    CudaDevice& device;
    World& hosts;
    std::shared_ptr<StreamClock> clock;
    double deadlineSeconds; ///< a wait that takes longer fails
    std::shared_ptr<std::vector<NcclLink*>> links; ///< all that there are
};

/// One communicator of NCCL with a stream of its own: what goes through it runs in the order in
/// which it was asked for. All that can fail throws DeviceError that says what was under way.
///
/// A request is waited for by the device (holdBackDevice()), and the host goes on. Whoever holds it
/// calls test() later, which finds failures and what takes too long.
class NcclLink : public std::enable_shared_from_this<NcclLink>
{
public:
    /// Collective over the members: `hosts` is their group, and `members` those of its ranks, in
    /// order, which take part, this one among them. `what`: "the tensor group", for messages.
    NcclLink(const NcclContext& context, Communicator& hosts, const std::vector<int>& members,
             std::string what);
    ~NcclLink();
    NcclLink(const NcclLink&) = delete;
    NcclLink& operator=(const NcclLink&) = delete;

    /// `peer`: its number among the members.
    std::unique_ptr<Request> send(const void* data, std::size_t bytes, int peer);
    std::unique_ptr<Request> receive(void* data, std::size_t bytes, int peer);
    std::unique_ptr<Request> allReduce(void* data, std::int64_t count, ncclDataType_t type,
                                       Reduction reduction);

    /// Throws when any communicator of this rank has failed, or `since` lies further back than the deadline
    /// allows.
    void requireHealthy(double since, const char* operation);
    double now() const { return m_context.hosts.now(); }
    cudaStream_t computing() const { return m_context.device.computing(); }
    /// When all is done that was put into the computing stream, or this link's, up to now.
    StreamMoment computed() const { return {m_context.clock, computing()}; }
    StreamMoment sent() const { return {m_context.clock, m_stream.get()}; }

private:
    /// From when on an operation waits for its partners.
    enum class Ready { WhenAsked, WhenWaitedFor };
    template <class Call>
    std::unique_ptr<Request> start(const char* operation, Ready ready, Call call);
    void check(ncclResult_t result, const char* operation);
    void abort() noexcept;
    ncclUniqueId shareId(Communicator& hosts, const std::vector<int>& members);

    NcclContext m_context;
    std::string m_what;
    CudaStream m_stream{CudaStream::Urgency::High};
    ncclComm_t m_comm = nullptr;
    bool m_failed = false;
    int m_exceptions;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#endif
