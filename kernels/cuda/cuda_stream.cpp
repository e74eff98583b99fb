#include "kernels/cuda/cuda_stream.h"

#include "kernels/cuda/language.h"

#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

CudaStream::CudaStream(Urgency urgency)
{
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "making a stream");
    check(cudaStreamCreateWithPriority(&m_stream, cudaStreamNonBlocking,
                                       urgency == Urgency::High ? greatest : least),
          "making a stream");
}

CudaStream::~CudaStream()
{
    cudaStreamDestroy(m_stream);
}

void CudaStream::synchronize()
{
    check(cudaStreamSynchronize(m_stream), "computing");
}

CudaEvent::CudaEvent(Use use)
{
    check(cudaEventCreateWithFlags(&m_event,
                                   use == Use::Time ? cudaEventDefault : cudaEventDisableTiming),
          "making an event");
}

CudaEvent::~CudaEvent()
{
    if (m_event)
        cudaEventDestroy(m_event);
}

CudaEvent::CudaEvent(CudaEvent&& other) noexcept : m_event(std::exchange(other.m_event, nullptr)) {}

CudaEvent& CudaEvent::operator=(CudaEvent&& other) noexcept
{
    std::swap(m_event, other.m_event);
    return *this;
}

void CudaEvent::record(cudaStream_t stream)
{
    check(cudaEventRecord(m_event, stream), "recording an event");
}

void CudaEvent::synchronize() const
{
    check(cudaEventSynchronize(m_event), "waiting for an event");
}

double CudaEvent::secondsSince(const CudaEvent& earlier) const
{
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.m_event, m_event),
          "reading the time between events");
    return double(milliseconds) * 1e-3;
}

void CudaEvent::holdBack(cudaStream_t stream) const
{
    check(cudaStreamWaitEvent(stream, m_event, 0), "ordering streams");
}

bool CudaEvent::reached() const
{
    const cudaError_t result = cudaEventQuery(m_event);
    if (result != cudaErrorNotReady)
        check(result, "waiting for an event");
    return result == cudaSuccess;
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
