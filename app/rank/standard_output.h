#pragma once

#include <cstdio>
#include <memory>

namespace triaxis::rank
{

/// Keeps standard output for this program alone: the stream that is given back writes to it, and
/// whatever a library prints on file descriptor 1 goes to standard error. To be called before any
/// library starts.
std::unique_ptr<std::FILE, int (*)(std::FILE*)> takeStandardOutput();

} // namespace triaxis::rank
