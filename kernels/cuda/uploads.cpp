#include "kernels/cuda/uploads.h"

#include "kernels/cuda/language.h"

#include <cstring>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::size_t mostBuffers = 4096; ///< then it waits for the stream after all

std::size_t sizeFor(std::size_t bytes)
{
    std::size_t size = 4096;
    while (size < bytes)
        size *= 2;
    return size;
}

} // namespace

void Uploads::copy(cudaStream_t stream, void* device, const void* host, std::size_t bytes)
{
    if (m_used == mostBuffers) {
        check(cudaStreamSynchronize(stream), "copying to the GPU");
        startOver();
    }
    if (m_used == m_buffers.size())
        m_buffers.emplace_back(sizeFor(bytes));
    PinnedBuffer& buffer = m_buffers[m_used];
    if (buffer.bytes() < bytes)
        buffer = PinnedBuffer(sizeFor(bytes));
    ++m_used;
    std::memcpy(buffer.data(), host, bytes);
    check(cudaMemcpyAsync(device, buffer.data(), bytes, cudaMemcpyHostToDevice, stream),
          "copying to the GPU");
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
