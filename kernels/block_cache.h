#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace triaxis::kernels
{

/// Memory that keeps freed blocks for reuse: a training step asks for the same sizes again and
/// again, so that after the first one the system is asked for nothing. One thread at a time.
class BlockCache
{
public:
    BlockCache(const BlockCache&) = delete;
    BlockCache& operator=(const BlockCache&) = delete;

    /// Null when the system has none, even after the free blocks were given back.
    void* allocate(std::size_t bytes);
    void release(void* data) noexcept;
    /// Whether an address lies in one of its blocks.
    bool owns(const void* address) const;
    /// Bytes held, in use or free.
    std::size_t total() const { return m_total; }

protected:
    /// Sizes are rounded up to `small` bytes, from `large` bytes on to that.
    BlockCache(std::size_t small, std::size_t large) : m_small(small), m_large(large) {}
    ~BlockCache() = default;
    /// To be called by destructors.
    void giveBackFree() noexcept;

private:
    virtual void* systemAllocate(std::size_t bytes) = 0; ///< null when there is none
    virtual void systemFree(void* data) noexcept = 0;
    void* takeFree(std::size_t bytes);
    void* takeNew(std::size_t bytes);

    std::size_t m_small;
    std::size_t m_large;
    std::map<std::size_t, std::vector<void*>> m_free; ///< by true size
    std::map<const void*, std::size_t> m_sizes;       ///< true size of every block, free or in use
    std::size_t m_total = 0;                          ///< of those sizes
};

} // namespace triaxis::kernels
