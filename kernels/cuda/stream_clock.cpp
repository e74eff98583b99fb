#include "kernels/cuda/stream_clock.h"

#include <algorithm>
#include <new>
#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

/// The first look may find the host or the GPU half asleep; the best one counts.
constexpr int looks = 3;

} // namespace

void StreamClock::tie(cudaStream_t stream)
{
    double best = -1;
    for (int i = 0; i < looks; ++i) {
        const double before = m_hosts.now();
        m_trial.record(stream);
        m_trial.synchronize();
        const double after = m_hosts.now();
        const double error = (after - before) / 2;
        if (best >= 0 && error >= best)
            continue;
        best = error;
        m_baseTime = before + error;
        std::swap(m_base, m_trial);
    }
    m_error = std::max(m_error, best);
}

double StreamClock::takeError()
{
    return std::exchange(m_error, 0.0);
}

CudaEvent StreamClock::take()
{
    if (m_free.empty())
        return CudaEvent(CudaEvent::Use::Time);
    CudaEvent event = std::move(m_free.back());
    m_free.pop_back();
    return event;
}

void StreamClock::giveBack(CudaEvent event) noexcept
{
    try {
        m_free.push_back(std::move(event));
    } catch (const std::bad_alloc&) {
        // One event fewer to use again.
    }
}

double StreamClock::timeOf(const CudaEvent& event) const
{
    return m_baseTime + event.secondsSince(m_base);
}

StreamMoment::StreamMoment(std::shared_ptr<StreamClock> clock, cudaStream_t stream)
    : m_clock(std::move(clock)), m_event(m_clock->take())
{
    m_event.record(stream);
}

StreamMoment::~StreamMoment()
{
    if (m_clock)
        m_clock->giveBack(std::move(m_event));
}

StreamMoment& StreamMoment::operator=(StreamMoment&& other) noexcept
{
    std::swap(m_clock, other.m_clock);
    std::swap(m_event, other.m_event);
    return *this;
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
