#pragma once

#include "kernels/communicator.h"
#include "kernels/cuda/cuda_stream.h"

#include <memory>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// The time of moments of the GPU's streams on the clock of the hosts' world.
class StreamClock
{
public:
    explicit StreamClock(const World& hosts) : m_hosts(hosts) {}

    /// Waits for an event in `stream`, in which nothing should be under way, between two looks at
    /// the world's clock. The error is half of what lies between them.
    void tie(cudaStream_t stream);
    /// Seconds by which times were off at most, since the last call.
    double takeError();

    /// An event that is used again when its moment is gone.
    CudaEvent take();
    void giveBack(CudaEvent event) noexcept;
    double timeOf(const CudaEvent& event) const;

private:
    const World& m_hosts;
    CudaEvent m_base{CudaEvent::Use::Time}; ///< reached at m_baseTime
    CudaEvent m_trial{CudaEvent::Use::Time};
    double m_baseTime = 0;
    double m_error = 0;
    std::vector<CudaEvent> m_free;
};

/// A moment of a stream: when all is done that was put into it before.
class StreamMoment
{
public:
    StreamMoment(std::shared_ptr<StreamClock> clock, cudaStream_t stream);
    ~StreamMoment();
    StreamMoment(StreamMoment&&) noexcept = default;
    StreamMoment& operator=(StreamMoment&& other) noexcept;

    /// What is put into `stream` from now on runs after it.
    void holdBack(cudaStream_t stream) const { m_event.holdBack(stream); }
    bool reached() const { return m_event.reached(); }
    double time() const { return m_clock->timeOf(m_event); } ///< on the world's clock, once reached

private:
    std::shared_ptr<StreamClock> m_clock;
    CudaEvent m_event;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
