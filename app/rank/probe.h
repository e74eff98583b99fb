#pragma once

#include "kernels/communicator.h"
#include "kernels/device.h"

#include <cstdio>

namespace triaxis::rank
{

/// Measures this machine in a second or two: SGEMM rate of this rank's threads (best of several 1024³ products), and, with two or more ranks,
/// bandwidth and latency between ranks 0 and 1. Rank 0 prints one JSON object to `out`.
void probe(kernels::World& world, kernels::Device& device, int threads, std::FILE* out);

} // namespace triaxis::rank
