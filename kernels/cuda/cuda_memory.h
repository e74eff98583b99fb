#pragma once

#include "kernels/block_cache.h"

#include <cuda_runtime.h>

#include <cstddef>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Memory of the current GPU: asking the driver for some would wait for the whole GPU. A block that
/// was freed may be handed out at once: work that still uses it lies earlier in the one stream that
/// computes.
class BlockPool final : public BlockCache
{
public:
    explicit BlockPool(cudaStream_t computing);
    ~BlockPool();

    void* allocate(std::size_t bytes); ///< as that of BlockCache

private:
    void* systemAllocate(std::size_t bytes) override;
    void systemFree(void* data) noexcept override;

    cudaStream_t m_computing;
};

/// Memory of the host that the GPU copies to and from by itself. Throws DeviceError.
class PinnedBuffer
{
public:
    PinnedBuffer() = default;
    explicit PinnedBuffer(std::size_t bytes);
    ~PinnedBuffer();
    PinnedBuffer(PinnedBuffer&& other) noexcept;
    PinnedBuffer& operator=(PinnedBuffer&& other) noexcept;

    void* data() const { return m_data; }
    std::size_t bytes() const { return m_bytes; }

private:
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
