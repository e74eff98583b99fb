#pragma once

#include <cstddef>
#include <map>
#include <unordered_map>
#include <vector>

namespace triaxis::kernels::cpu
{

/// Host memory, 64-byte aligned, that keeps freed blocks for reuse. A training step asks for the
/// same sizes again and again, so after the first step nothing is mapped anew and no page is
/// touched for the first time. Blocks of 2 MiB and more are aligned to 2 MiB and marked for huge
/// pages. One thread at a time.
class MemoryPool
{
public:
    MemoryPool() = default;
    MemoryPool(const MemoryPool&) = delete;
    MemoryPool& operator=(const MemoryPool&) = delete;
    ~MemoryPool();

    void* allocate(std::size_t bytes); ///< null when the machine has none, even after the free
                                       ///< blocks were given back
    void release(void* data) noexcept;

private:
    void* takeFree(std::size_t bytes);
    void* takeNew(std::size_t bytes);
    void giveBackFree();

    std::map<std::size_t, std::vector<void*>> m_free; ///< by true size
    std::unordered_map<void*, std::size_t> m_sizes;   ///< true size of every block, free or in use
    std::size_t m_total = 0;                          ///< of those sizes
};

} // namespace triaxis::kernels::cpu
