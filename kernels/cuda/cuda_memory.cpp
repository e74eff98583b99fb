#include "kernels/cuda/cuda_memory.h"

#include "kernels/cuda/language.h"

#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::size_t smallUnit = 512;
constexpr std::size_t largeUnit = std::size_t(2) << 20;

/// The emulated device then knows what may be used of the block, and that nothing is written, from
/// this moment of the stream on.
void handOut([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes,
             [[maybe_unused]] cudaStream_t computing)
{
#if defined(TRIAXIS_CUDA_EMULATED)
    if (data)
        check(emulation::reuseInOrder(data, bytes, computing), "handing out memory");
#endif
}

} // namespace

BlockPool::BlockPool(cudaStream_t computing)
    : BlockCache(smallUnit, largeUnit), m_computing(computing)
{
}

BlockPool::~BlockPool()
{
    giveBackFree();
}

void* BlockPool::allocate(std::size_t bytes)
{
    void* const data = BlockCache::allocate(bytes);
    handOut(data, bytes, m_computing);
    return data;
}

void* BlockPool::systemAllocate(std::size_t bytes)
{
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // it would be reported by the next launch
        return nullptr;
    }
    check(result, "allocating memory");
    return data;
}

void BlockPool::systemFree(void* data) noexcept
{
    cudaFree(data);
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) : m_bytes(bytes)
{
    if (bytes == 0)
        return;
    const cudaError_t result = cudaHostAlloc(&m_data, bytes, cudaHostAllocDefault);
    if (result != cudaSuccess)
        throw DeviceError("cannot allocate " + std::to_string(bytes) +
                          " bytes of the host's memory for copies to and from the GPU: " +
                          cudaGetErrorString(result));
}

PinnedBuffer::~PinnedBuffer()
{
    if (m_data)
        cudaFreeHost(m_data);
}

PinnedBuffer::PinnedBuffer(PinnedBuffer&& other) noexcept
    : m_data(std::exchange(other.m_data, nullptr)), m_bytes(std::exchange(other.m_bytes, 0))
{
}

PinnedBuffer& PinnedBuffer::operator=(PinnedBuffer&& other) noexcept
{
    std::swap(m_data, other.m_data);
    std::swap(m_bytes, other.m_bytes);
    return *this;
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
