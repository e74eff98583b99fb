#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Memory of the current GPU that keeps freed blocks for reuse, so that after the first step
/// nothing is asked of the driver, which would wait for the whole GPU. A block that was freed may
/// be handed out at once: work that still uses it lies earlier in the one stream that computes. One
/// thread at a time.
class BlockPool
{
public:
    explicit BlockPool(cudaStream_t computing) : m_computing(computing) {}
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;
    ~BlockPool();

    void* allocate(std::size_t bytes); ///< null when the GPU has none, even after the free blocks
                                       ///< were given back
    void release(void* data) noexcept;
    /// Whether an address lies in one of its blocks.
    bool owns(const void* address) const;
    /// Bytes held, in use or free.
    std::size_t total() const { return m_total; }

private:
    void* takeFree(std::size_t bytes);
    void* takeNew(std::size_t bytes);
    void giveBackFree() noexcept;

    cudaStream_t m_computing;
    std::map<std::size_t, std::vector<void*>> m_free;
    std::map<const void*, std::size_t> m_sizes; ///< true size of every block, free or in use
    std::size_t m_total = 0;
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
