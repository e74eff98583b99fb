#pragma once

#include "kernels/gpu.h"

#include <string>
#include <vector>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Where one rank computes.
struct RankPlace
{
    std::string host;
    int gpu = 0;
    std::string bus;
    std::string device; ///< its name
};

/// Collective: the places of all ranks.
std::vector<RankPlace> exchangePlaces(const RankPlace& own, World& hosts);

/// How many ranks of this rank's host come before it. Collective.
int positionOnHost(const std::string& host, World& hosts);

/// How many ranks have the host of rank `rank`.
int ranksOfHost(const std::vector<RankPlace>& places, int rank);

/// How many ranks have the GPU of rank `rank`.
int ranksOfGpu(const std::vector<RankPlace>& places, int rank);

/// The first two ranks that share a GPU, as a sentence; empty if none do.
std::string sharedGpu(const std::vector<RankPlace>& places);

/// "rank 0: host node1, GPU 0 (0000:17:00.0), NVIDIA H200", a line each.
std::string placementTable(const std::vector<RankPlace>& places);

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
