#pragma once

#include "kernels/device.h"

#include <cuda_runtime.h>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// An owned stream of the current GPU. Throws DeviceError.
class CudaStream final : public Stream
{
public:
    enum class Urgency { Ordinary, High };

    explicit CudaStream(Urgency urgency = Urgency::Ordinary);
    ~CudaStream() override;
    CudaStream(const CudaStream&) = delete;
    CudaStream& operator=(const CudaStream&) = delete;

    void synchronize() override;
    cudaStream_t get() const { return m_stream; }

private:
    cudaStream_t m_stream = nullptr;
};

/// A moment in a stream.
class CudaEvent
{
public:
    enum class Use { Order, Time };

    explicit CudaEvent(Use use = Use::Order);
    ~CudaEvent();
    CudaEvent(CudaEvent&& other) noexcept;
    CudaEvent& operator=(CudaEvent&& other) noexcept;

    void record(cudaStream_t stream);
    /// The host waits for the moment.
    void synchronize() const;
    /// From an earlier moment, both reached; events for Use::Time.
    double secondsSince(const CudaEvent& earlier) const;
    /// What is put into `stream` from now on runs after the moment.
    void holdBack(cudaStream_t stream) const;
    bool reached() const;

private:
    cudaEvent_t m_event = nullptr;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
