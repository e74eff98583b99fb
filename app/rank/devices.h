#pragma once

#include <cstdio>

namespace triaxis::rank
{

/// Prints what this host has as one JSON object: {"host", "cores", "memory_bytes", "device",
/// "blas", "mpi", "gpus": []}.
void printDevices(std::FILE* out);

} // namespace triaxis::rank
