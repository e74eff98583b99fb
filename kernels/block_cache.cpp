#include "kernels/block_cache.h"

#include <new>

namespace triaxis::kernels
{
namespace
{

std::size_t roundUp(std::size_t value, std::size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

} // namespace

void* BlockCache::allocate(std::size_t bytes)
{
    if (bytes > (std::size_t(1) << 62))
        return nullptr;
    const std::size_t size = roundUp(bytes, bytes >= m_large ? m_large : m_small);
    if (void* const data = takeFree(size))
        return data;
    if (void* const data = takeNew(size))
        return data;
    giveBackFree();
    return takeNew(size);
}

void* BlockCache::takeNew(std::size_t bytes)
{
    void* const data = systemAllocate(bytes);
    if (data) {
        m_sizes.emplace(data, bytes);
        m_total += bytes;
    }
    return data;
}

void BlockCache::release(void* data) noexcept
{
    const std::size_t size = m_sizes.at(data);
    try {
        m_free[size].push_back(data);
    } catch (const std::bad_alloc&) {
        m_sizes.erase(data);
        m_total -= size;
        systemFree(data);
    }
}

void* BlockCache::takeFree(std::size_t bytes)
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

void BlockCache::giveBackFree() noexcept
{
    for (const auto& [size, blocks] : m_free)
        for (void* const data : blocks) {
            m_sizes.erase(data);
            m_total -= size;
            systemFree(data);
        }
    m_free.clear();
}

bool BlockCache::owns(const void* address) const
{
    auto next = m_sizes.upper_bound(address);
    if (next == m_sizes.begin())
        return false;
    --next;
    return static_cast<const char*>(address) < static_cast<const char*>(next->first) + next->second;
}

} // namespace triaxis::kernels
