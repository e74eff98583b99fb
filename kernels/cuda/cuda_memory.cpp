#include "kernels/cuda/cuda_memory.h"

#include "kernels/cuda/language.h"

#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

constexpr std::size_t smallUnit = 512;
constexpr std::size_t largeUnit = std::size_t(2) << 20;

std::size_t roundUp(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

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

BlockPool::~BlockPool()
{
    giveBackFree();
}

void* BlockPool::allocate(std::size_t bytes)
{
    if (bytes > (std::size_t(1) << 62))
        return nullptr;
    const std::size_t size = roundUp(bytes, bytes >= largeUnit ? largeUnit : smallUnit);
    void* data = takeFree(size);
    if (!data)
        data = takeNew(size);
    if (!data) {
        giveBackFree();
        data = takeNew(size);
    }
    handOut(data, bytes, m_computing);
    return data;
}

void* BlockPool::takeNew(std::size_t bytes)
{
    void* data = nullptr;
    const cudaError_t result = cudaMalloc(&data, bytes);
    if (result == cudaErrorMemoryAllocation) {
        cudaGetLastError(); // it would be reported by the next launch
        return nullptr;
    }
    check(result, "allocating memory");
    m_sizes.emplace(data, bytes);
    m_total += bytes;
    return data;
}

void BlockPool::release(void* data) noexcept
{
    try {
        m_free[m_sizes.at(data)].push_back(data);
    } catch (const std::bad_alloc&) {
        m_total -= m_sizes.at(data);
        m_sizes.erase(data);
        cudaFree(data);
    }
}

void* BlockPool::takeFree(std::size_t bytes)
{
    // A block of up to an eighth more than asked for fits; a larger one is left for those who need
    // it.
    const auto found = m_free.lower_bound(bytes);
    if (found == m_free.end() || found->first > bytes + bytes / 8)
        return nullptr;
    void* const data = found->second.back();
    found->second.pop_back();
    if (found->second.empty())
        m_free.erase(found);
    return data;
}

void BlockPool::giveBackFree() noexcept
{
    for (const auto& [size, blocks] : m_free)
        for (void* const data : blocks) {
            m_sizes.erase(data);
            m_total -= size;
            cudaFree(data);
        }
    m_free.clear();
}

bool BlockPool::owns(const void* address) const
{
    auto next = m_sizes.upper_bound(address);
    if (next == m_sizes.begin())
        return false;
    --next;
    return static_cast<const char*>(address) < static_cast<const char*>(next->first) + next->second;
}

PinnedBuffer::PinnedBuffer(std::size_t bytes) : m_bytes(bytes)
{
    if (bytes > 0)
        check(cudaHostAlloc(&m_data, bytes, cudaHostAllocDefault), "allocating memory of the host");
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
