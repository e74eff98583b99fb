#include "kernels/cpu/memory_pool.h"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace triaxis::kernels::cpu
{

namespace
{

constexpr std::size_t lineBytes = 64;
constexpr std::size_t hugePageBytes = std::size_t(2) << 20;

std::size_t roundUp(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

void* systemAllocate(std::size_t bytes)
{
    const bool huge = bytes >= hugePageBytes;
    void* const data = std::aligned_alloc(huge ? hugePageBytes : lineBytes, bytes);
    if (data && huge)
        madvise(data, bytes, MADV_HUGEPAGE);
    return data;
}

} // namespace

MemoryPool::~MemoryPool()
{
    giveBackFree();
}

void* MemoryPool::allocate(std::size_t bytes)
{
    if (bytes > (std::size_t(1) << 62))
        return nullptr;
    const std::size_t size = roundUp(bytes, bytes >= hugePageBytes ? hugePageBytes : lineBytes);
    if (void* const data = takeFree(size))
        return data;
    void* data = systemAllocate(size);
    if (!data) {
        giveBackFree();
        data = systemAllocate(size);
    }
    if (data)
        m_sizes.emplace(data, size);
    return data;
}

void MemoryPool::release(void* data) noexcept
{
    const std::size_t size = m_sizes.at(data);
    try {
        m_free[size].push_back(data);
    } catch (const std::bad_alloc&) {
        m_sizes.erase(data);
        std::free(data);
    }
}

void* MemoryPool::takeFree(std::size_t bytes)
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

void MemoryPool::giveBackFree()
{
    for (const auto& [size, blocks] : m_free)
        for (void* const data : blocks) {
            m_sizes.erase(data);
            std::free(data);
        }
    m_free.clear();
}

} // namespace triaxis::kernels::cpu
