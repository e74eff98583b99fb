#include "kernels/cuda/cuda_world.h"

#include "kernels/cuda/nccl_communicator.h"

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

/// A group whose messages go by way of the host.
class StagedCommunicator final : public Communicator
{
public:
    StagedCommunicator(std::unique_ptr<Communicator> hosts, std::shared_ptr<Staging> staging)
        : m_hosts(std::move(hosts)), m_staging(std::move(staging))
    {
    }

    int rank() const override { return m_hosts->rank(); }
    int size() const override { return m_hosts->size(); }
    std::unique_ptr<Request> send(const void* data, std::size_t bytes, int peer, int tag) override
    {
        return m_staging->send(*m_hosts, data, bytes, peer, tag);
    }
    std::unique_ptr<Request> receive(void* data, std::size_t bytes, int peer, int tag) override
    {
        return m_staging->receive(*m_hosts, data, bytes, peer, tag);
    }
    std::unique_ptr<Request> allReduce(float* data, std::int64_t count,
                                       Reduction reduction) override
    {
        return m_staging->allReduce(*m_hosts, data, count, reduction);
    }
    std::unique_ptr<Request> allReduce(double* data, std::int64_t count,
                                       Reduction reduction) override
    {
        return m_staging->allReduce(*m_hosts, data, count, reduction);
    }

private:
    std::unique_ptr<Communicator> m_hosts;
    std::shared_ptr<Staging> m_staging;
};

/// A moment of the computing stream.
class ComputedRequest final : public Request
{
public:
    explicit ComputedRequest(StreamMoment moment) : m_moment(std::move(moment)) {}
    bool test() override
    {
        m_reached = m_reached || m_moment.reached();
        return m_reached;
    }
    void markReady(double) override {}
    Timing timing() const override
    {
        const double time = m_moment.time();
        return {.ready = time, .begin = time, .end = time};
    }
    /// What comes later in its own stream runs after it by itself.
    bool holdBackDevice() override { return true; }

private:
    StreamMoment m_moment;
    bool m_reached = false;
};

} // namespace

CudaWorld::CudaWorld(World& hosts, CudaDevice& device, bool nccl, double deadlineSeconds)
    : m_hosts(hosts), m_device(device), m_nccl(nccl), m_deadlineSeconds(deadlineSeconds),
      m_clock(std::make_shared<StreamClock>(hosts)),
      m_staging(std::make_shared<Staging>(device, hosts))
{
    tieDeviceClock();
}

World::Clock CudaWorld::synchronizeClocks()
{
    Clock clock = m_hosts.synchronizeClocks();
    clock.error += m_clock->takeError();
    tieDeviceClock();
    return clock;
}

std::unique_ptr<Request> CudaWorld::moment()
{
    return std::make_unique<ComputedRequest>(StreamMoment(m_clock, m_device.computing()));
}

std::string CudaWorld::library() const
{
#if defined(TRIAXIS_HAS_NCCL)
    if (m_nccl)
        return m_hosts.library() + ", " + ncclName();
#endif
    return m_hosts.library() + ", by way of the host";
}

std::unique_ptr<Communicator> CudaWorld::makeGroup(const std::vector<std::vector<int>>& groups,
                                                   [[maybe_unused]] Traffic traffic)
{
    std::unique_ptr<Communicator> hosts = m_hosts.makeGroup(groups);
    if (!hosts)
        return nullptr;
#if defined(TRIAXIS_HAS_NCCL)
    if (m_nccl)
        return std::make_unique<NcclCommunicator>(NcclContext{m_device, m_hosts, m_clock, m_deadlineSeconds, m_links},
                                                  std::move(hosts), m_staging, traffic);
#endif
    return std::make_unique<StagedCommunicator>(std::move(hosts), m_staging);
}

void CudaWorld::progress()
{
    m_staging->advance();
    m_hosts.progress();
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
