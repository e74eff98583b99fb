#pragma once

// What the kernels share: how work is spread over threads, and sums over a block.

#include "kernels/cuda/language.h"

#include <cstdint>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

inline constexpr int threadsOfBlock = 256;
inline constexpr unsigned wholeWarp = 0xffffffffu;
inline constexpr int warpSize32 = 32;

/// Blocks for `count` elements whose threads go on in steps of the whole grid.
inline unsigned blocksFor(std::int64_t count)
{
    constexpr std::int64_t most = 4096;
    const std::int64_t blocks = (count + threadsOfBlock - 1) / threadsOfBlock;
    return static_cast<unsigned>(blocks < most ? blocks : most);
}

__device__ inline std::int64_t firstElement()
{
    return std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
}

__device__ inline std::int64_t elementStep()
{
    return std::int64_t(gridDim.x) * blockDim.x;
}

struct Sum
{
    template <class T>
    __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};

/// The greater; no number where either is none.
struct Greater
{
    __device__ float operator()(float a, float b) const { return a > b || a != a ? a : b; }
};

template <class T, class Operation>
__device__ T overWarp(T value, Operation operation)
{
#if defined(TRIAXIS_CUDA_EMULATED)
    if (emulation::machine().isQuick())
        return emulation::overLanes(value, operation);
#endif
    for (int lanes = warpSize32 / 2; lanes > 0; lanes /= 2)
        value = operation(value, __shfl_xor_sync(wholeWarp, value, lanes));
    return value;
}

/// Over all threads of a block of whole warps, in a fixed tree; the same on each.
/// `scratch`: one element for each warp, which no thread uses otherwise.
template <class T, class Operation>
__device__ T overBlock(T value, SharedArray<T, 32>& scratch, Operation operation)
{
    const int lane = int(threadIdx.x) % warpSize32;
    const int warp = int(threadIdx.x) / warpSize32;
    const int warps = int(blockDim.x) / warpSize32;
    value = overWarp(value, operation);
    __syncthreads();
    if (lane == 0)
        scratch[warp] = value;
    __syncthreads();
    T total = scratch[0];
    for (int other = 1; other < warps; ++other) {
        const T part = scratch[other];
        total = operation(total, part);
    }
    return total;
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
