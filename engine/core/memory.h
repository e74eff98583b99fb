#pragma once

#include <cstdint>

namespace triaxis
{

/// Bytes of memory of this host; 0 where the system does not tell.
std::int64_t hostMemoryBytes();

} // namespace triaxis
