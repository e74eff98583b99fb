#include "engine/core/memory.h"

#include <algorithm>
#include <unistd.h>

namespace triaxis
{

std::int64_t hostMemoryBytes()
{
    const auto pages = std::int64_t(sysconf(_SC_PHYS_PAGES));
    return std::max<std::int64_t>(0, pages) * std::int64_t(sysconf(_SC_PAGE_SIZE));
}

} // namespace triaxis
