#include "kernels/cpu/memory_pool.h"

#include <cstdlib>
#include <limits>
#include <sys/mman.h>
#include <unistd.h>

namespace triaxis::kernels::cpu
{

namespace
{

constexpr std::size_t lineBytes = 64;
constexpr std::size_t hugePageBytes = std::size_t(2) << 20;

std::size_t machineBytes()
{
    const long pages = sysconf(_SC_PHYS_PAGES), pageBytes = sysconf(_SC_PAGE_SIZE);
    return pages > 0 && pageBytes > 0 ? std::size_t(pages) * std::size_t(pageBytes)
                                      : std::numeric_limits<std::size_t>::max() / 2;
}

} // namespace

MemoryPool::MemoryPool() : BlockCache(lineBytes, hugePageBytes) {}

MemoryPool::~MemoryPool()
{
    giveBackFree();
}

/// Nothing beyond the machine's memory: the system would promise it and end the process later.
void* MemoryPool::systemAllocate(std::size_t bytes)
{
    if (total() + bytes > machineBytes())
        return nullptr;
    const bool huge = bytes >= hugePageBytes;
    void* const data = std::aligned_alloc(huge ? hugePageBytes : lineBytes, bytes);
    if (data && huge)
        madvise(data, bytes, MADV_HUGEPAGE);
    return data;
}

void MemoryPool::systemFree(void* data) noexcept
{
    std::free(data);
}

} // namespace triaxis::kernels::cpu
