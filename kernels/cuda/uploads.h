#pragma once

#include "kernels/cuda/cuda_memory.h"
#include "kernels/cuda/cuda_stream.h"

#include <cstddef>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Small data on their way to the GPU. They are laid aside in pinned memory: from elsewhere a copy
/// may make the host wait for all that is in the stream.
class Uploads
{
public:
    static constexpr std::size_t largest = std::size_t(256) << 10;

    /// At most `largest` bytes, which may change once it returns.
    void copy(cudaStream_t stream, void* device, const void* host, std::size_t bytes);
    /// Nothing is under way any more: the memory is used again.
    void startOver() { m_used = 0; }

private:
    std::vector<PinnedBuffer> m_buffers;
    std::size_t m_used = 0; ///< of the buffers
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
