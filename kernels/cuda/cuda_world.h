#pragma once

#include "kernels/communicator.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/staging.h"
#include "kernels/cuda/stream_clock.h"
#include "kernels/gpu.h"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

class NcclLink;

/// The ranks of a run that compute on GPUs. What concerns the host alone goes through the world of
/// the hosts, which outlives it, as the device does.
class CudaWorld final : public World
{
public:
    /// `nccl`: messages go from GPU to GPU. Each wait of theirs ends within `deadlineSeconds`.
    CudaWorld(World& hosts, CudaDevice& device, bool nccl, double deadlineSeconds);

    int rank() const override { return m_hosts.rank(); }
    int size() const override { return m_hosts.size(); }
    std::string library() const override;
    std::unique_ptr<Communicator> makeGroup(const std::vector<std::vector<int>>& groups) override
    {
        return makeGroup(groups, Traffic::Collectives);
    }
    std::unique_ptr<Communicator> makeGroup(const std::vector<std::vector<int>>& groups,
                                            Traffic traffic) override;

    double now() const override { return m_hosts.now(); }
    double toWorldClock(double localSeconds) const override
    {
        return m_hosts.toWorldClock(localSeconds);
    }
    /// With the error of the device's clock.
    Clock synchronizeClocks() override;
    std::unique_ptr<Request> moment() override;
    void tieDeviceClock() override { m_clock->tie(m_device.computing()); }

    void progress() override;
    void wait(Request& request) override { m_hosts.wait(request); }
    void barrier() override { m_hosts.barrier(); }
    void broadcast(void* data, std::size_t bytes, int root) override
    {
        m_hosts.broadcast(data, bytes, root);
    }
    [[noreturn]] void abort(int code) override
    {
        m_hosts.abort(code);
        std::_Exit(code);
    }

private:
    World& m_hosts;
    CudaDevice& m_device;
    bool m_nccl;
    double m_deadlineSeconds;
    std::shared_ptr<StreamClock> m_clock;
    std::shared_ptr<std::vector<NcclLink*>> m_links = std::make_shared<std::vector<NcclLink*>>();
    std::shared_ptr<Staging> m_staging;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
