#pragma once

#include "kernels/block_cache.h"

namespace triaxis::kernels::cpu
{

/// Host memory, 64-byte aligned, that is mapped and touched for the first time only once. Blocks of
/// 2 MiB and more are aligned to 2 MiB and marked for huge pages.
class MemoryPool final : public BlockCache
{
public:
    MemoryPool();
    ~MemoryPool();

private:
    void* systemAllocate(std::size_t bytes) override;
    void systemFree(void* data) noexcept override;
};

} // namespace triaxis::kernels::cpu
