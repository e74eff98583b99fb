#include "kernels/cpu/memory_pool.h"

#include <cstdlib>
#include <limits>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

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

std::size_t machineBytes()
{
    const long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && pageBytes > 0 ? std::size_t(pages) * std::size_t(pageBytes)
                                      : std::numeric_limits<std::size_t>::max() / 2;
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
    if (void* const data = takeNew(size))
        return data;
    giveBackFree();
    return takeNew(size);
}

/// Nothing beyond the machine's memory: the system would promise it and end the process later.
void* MemoryPool::takeNew(std::size_t bytes)
{
    if (m_total + bytes > machineBytes())
        return nullptr;
    void* const data = systemAllocate(bytes);
    if (data) {
        m_sizes.emplace(data, bytes);
        m_total += bytes;
    }
    return data;
}

void MemoryPool::release(void* data) noexcept
{
    const std::size_t size = m_sizes.at(data);
    try {
        m_free[size].push_back(data);
    } catch (const std::bad_alloc&) {
        m_sizes.erase(data);
        m_total -= size;
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
            m_total -= size;
            std::free(data);
        }
    m_free.clear();
}

} // namespace triaxis::kernels::cpu
