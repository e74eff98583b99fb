#include "kernels/cuda/kernels.h"
#include "kernels/cuda/threads.h"

#include <cmath>
#include <string>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

// Tiles of queries and keys, as in Dao et al., "FlashAttention" (algorithms 1 and 4): no matrix of
// all scores. Every sum has one thread and one order; keys' and queries' gradients have a kernel
// each.

constexpr int attentionThreads = 128;
constexpr int attentionWarps = attentionThreads / warpSize32;

/// What all kernels read.
struct Operands
{
    Global<const float> q, k, v;
    std::int64_t qStride, kvStride, outStride;
    std::int64_t time;
    int heads, kvHeads, headSize;
    float scale;
};

/// Rows of a tile are a word longer than a head, so that threads of a column meet different banks.
__device__ int rowLength(const Operands& o)
{
    return o.headSize + 1;
}

/// to[i, d] = from[(first + i)·stride + d], 0 past `time`.
template <int tile>
__device__ void loadTile(const Shared<float>& to, Global<const float> from, std::int64_t first,
                         std::int64_t stride, const Operands& o)
{
    for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
        const int i = e / o.headSize, d = e % o.headSize;
        float value = 0;
        if (first + i < o.time)
            value = from[(first + i) * stride + d];
        to[i * rowLength(o) + d] = value;
    }
}

/// to[(first + i)·stride + d] = from[i, d]
template <int tile>
__device__ void storeTile(Global<float> to, const Shared<float>& from, std::int64_t first,
                          std::int64_t stride, const Operands& o)
{
    for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
        const int i = e / o.headSize, d = e % o.headSize;
        if (first + i < o.time)
            to[(first + i) * stride + d] = from[i * rowLength(o) + d];
    }
}

template <int tile>
__device__ void clearTile(const Shared<float>& to, const Operands& o)
{
    for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads)
        to[e / o.headSize * rowLength(o) + e % o.headSize] = 0;
}

__device__ float rowDot(const Shared<float>& a, int i, const Shared<float>& b, int j,
                        const Operands& o)
{
    float sum = 0;
    for (int d = 0; d < o.headSize; ++d)
        sum += a[i * rowLength(o) + d] * b[j * rowLength(o) + d];
    return sum;
}

/// One after the other in dynamic shared memory.
struct SharedPieces
{
    std::size_t used = 0;

    __device__ Shared<float> take(int count)
    {
        const std::size_t at = used;
        used += sizeof(float) * std::size_t(count);
        return dynamicShared<float>(at, count);
    }
};

/// A block does a tile of queries of one head. Warp w keeps the maxima and sums of rows w, w + 4, …
template <int tile>
__global__ void attentionForwardKernel(Global<float> out, Global<float> logSumExp, Operands o)
{
    constexpr int rowsOfWarp = tile / attentionWarps;
    SharedPieces pieces;
    const auto q = pieces.take(tile * rowLength(o));
    const auto k = pieces.take(tile * rowLength(o));
    const auto v = pieces.take(tile * rowLength(o));
    const auto sums = pieces.take(tile * rowLength(o));
    const auto scores = pieces.take(tile * (tile + 1));
    const auto factors = pieces.take(tile);

    const std::int64_t head = blockIdx.y, row0 = std::int64_t(blockIdx.z) * o.time;
    const std::int64_t kvOffset = head / (o.heads / o.kvHeads) * o.headSize;
    const std::int64_t firstQuery = std::int64_t(blockIdx.x) * tile;
    const int lane = int(threadIdx.x) % warpSize32, warp = int(threadIdx.x) / warpSize32;
    float maxima[rowsOfWarp], totals[rowsOfWarp];
    for (int r = 0; r < rowsOfWarp; ++r) {
        maxima[r] = -INFINITY;
        totals[r] = 0;
    }
    loadTile<tile>(q, o.q + (row0 * o.qStride + head * o.headSize), firstQuery, o.qStride, o);
    clearTile<tile>(sums, o);
    for (std::int64_t firstKey = 0; firstKey <= firstQuery; firstKey += tile) {
        loadTile<tile>(k, o.k + (row0 * o.kvStride + kvOffset), firstKey, o.kvStride, o);
        loadTile<tile>(v, o.v + (row0 * o.kvStride + kvOffset), firstKey, o.kvStride, o);
        __syncthreads();
        for (int e = int(threadIdx.x); e < tile * tile; e += attentionThreads) {
            const int i = e / tile, j = e % tile;
            float score = -INFINITY;
            if (firstKey + j <= firstQuery + i && firstQuery + i < o.time)
                score = rowDot(q, i, k, j, o) * o.scale;
            scores[i * (tile + 1) + j] = score;
        }
        __syncthreads();
        for (int r = 0; r < rowsOfWarp; ++r) {
            const int row = warp + r * attentionWarps;
            float score = -INFINITY;
            if (lane < tile)
                score = scores[row * (tile + 1) + lane];
            const float before = maxima[r];
            const float now = Greater()(overWarp(score, Greater()), before);
            const bool none = now == -INFINITY;
            const float p = none ? 0.0f : expf(score - now);
            const float factor = none ? 0.0f : expf(before - now);
            totals[r] = totals[r] * factor + overWarp(p, Sum());
            maxima[r] = now;
            if (lane < tile)
                scores[row * (tile + 1) + lane] = p;
            if (lane == 0)
                factors[row] = factor;
        }
        __syncthreads();
        for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
            const int i = e / o.headSize, d = e % o.headSize;
            float sum = sums[i * rowLength(o) + d] * factors[i];
            for (int j = 0; j < tile; ++j)
                sum += scores[i * (tile + 1) + j] * v[j * rowLength(o) + d];
            sums[i * rowLength(o) + d] = sum;
        }
        __syncthreads();
    }
    for (int r = 0; r < rowsOfWarp; ++r) {
        const int row = warp + r * attentionWarps;
        if (lane == 0 && firstQuery + row < o.time) {
            factors[row] = 1.0f / totals[r];
            logSumExp[(std::int64_t(blockIdx.z) * o.heads + head) * o.time + firstQuery + row] =
                maxima[r] + logf(totals[r]);
        }
    }
    __syncthreads();
    for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
        const int i = e / o.headSize, d = e % o.headSize;
        if (firstQuery + i < o.time)
            out[(row0 + firstQuery + i) * o.outStride + head * o.headSize + d] =
                sums[i * rowLength(o) + d] * factors[i];
    }
}

/// dots[b, h, t] = Σ_d dOut·out; a warp does a token of a head.
__global__ void attentionDotsKernel(Global<float> dots, Global<const float> dOut,
                                    Global<const float> out, std::int64_t count, std::int64_t time,
                                    int heads, int headSize, std::int64_t outStride)
{
    const std::int64_t token = firstElement() / warpSize32; // in the order of dots
    if (token >= count)
        return;
    const std::int64_t t = token % time, head = token / time % heads, b = token / time / heads;
    const std::int64_t first = (b * time + t) * outStride + head * headSize;
    float sum = 0;
    for (int d = int(threadIdx.x) % warpSize32; d < headSize; d += warpSize32)
        sum += dOut[first + d] * out[first + d];
    sum = overWarp(sum, Sum());
    if (threadIdx.x % warpSize32 == 0)
        dots[token] = sum;
}

/// What both kernels of the backward read besides.
struct Gradients
{
    Global<const float> dOut, logSumExp, dots;
};

/// weights[i, j] and scoreGradients[i, j] of query first + i and key firstKey + j.
template <int tile>
__device__ void backwardScores(const Shared<float>& weights, const Shared<float>& scoreGradients,
                               const Shared<float>& q, const Shared<float>& k,
                               const Shared<float>& v, const Shared<float>& dOut,
                               const Gradients& g, std::int64_t firstSum, std::int64_t firstQuery,
                               std::int64_t firstKey, const Operands& o)
{
    for (int e = int(threadIdx.x); e < tile * tile; e += attentionThreads) {
        const int i = e / tile, j = e % tile;
        float weight = 0, gradient = 0;
        if (firstKey + j <= firstQuery + i && firstQuery + i < o.time) {
            const std::int64_t at = firstSum + firstQuery + i;
            weight = expf(rowDot(q, i, k, j, o) * o.scale - g.logSumExp[at]);
            gradient = weight * (rowDot(dOut, i, v, j, o) - g.dots[at]) * o.scale;
        }
        weights[i * (tile + 1) + j] = weight;
        scoreGradients[i * (tile + 1) + j] = gradient;
    }
}

/// A block does a tile of keys of one key/value head, over all its query heads.
template <int tile>
__global__ void attentionKeyGradientKernel(Global<float> dK, Global<float> dV, Gradients g,
                                           Operands o)
{
    SharedPieces pieces;
    const auto q = pieces.take(tile * rowLength(o));
    const auto dOut = pieces.take(tile * rowLength(o));
    const auto k = pieces.take(tile * rowLength(o));
    const auto v = pieces.take(tile * rowLength(o));
    const auto kSums = pieces.take(tile * rowLength(o));
    const auto vSums = pieces.take(tile * rowLength(o));
    const auto weights = pieces.take(tile * (tile + 1));
    const auto scoreGradients = pieces.take(tile * (tile + 1));

    const int group = o.heads / o.kvHeads;
    const std::int64_t row0 = std::int64_t(blockIdx.z) * o.time;
    const std::int64_t kvFirst = row0 * o.kvStride + std::int64_t(blockIdx.y) * o.headSize;
    const std::int64_t firstKey = std::int64_t(blockIdx.x) * tile;
    loadTile<tile>(k, o.k + kvFirst, firstKey, o.kvStride, o);
    loadTile<tile>(v, o.v + kvFirst, firstKey, o.kvStride, o);
    clearTile<tile>(kSums, o);
    clearTile<tile>(vSums, o);
    for (int member = 0; member < group; ++member) {
        const std::int64_t head = std::int64_t(blockIdx.y) * group + member;
        const std::int64_t firstSum = (std::int64_t(blockIdx.z) * o.heads + head) * o.time;
        for (std::int64_t firstQuery = firstKey; firstQuery < o.time; firstQuery += tile) {
            __syncthreads();
            loadTile<tile>(q, o.q + (row0 * o.qStride + head * o.headSize), firstQuery, o.qStride,
                           o);
            loadTile<tile>(dOut, g.dOut + (row0 * o.outStride + head * o.headSize), firstQuery,
                           o.outStride, o);
            __syncthreads();
            backwardScores<tile>(weights, scoreGradients, q, k, v, dOut, g, firstSum, firstQuery,
                                 firstKey, o);
            __syncthreads();
            for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
                const int j = e / o.headSize, d = e % o.headSize;
                float ofK = kSums[j * rowLength(o) + d], ofV = vSums[j * rowLength(o) + d];
                for (int i = 0; i < tile; ++i) {
                    ofV += weights[i * (tile + 1) + j] * dOut[i * rowLength(o) + d];
                    ofK += scoreGradients[i * (tile + 1) + j] * q[i * rowLength(o) + d];
                }
                kSums[j * rowLength(o) + d] = ofK;
                vSums[j * rowLength(o) + d] = ofV;
            }
        }
    }
    __syncthreads();
    storeTile<tile>(dK + kvFirst, kSums, firstKey, o.kvStride, o);
    storeTile<tile>(dV + kvFirst, vSums, firstKey, o.kvStride, o);
}

/// A block does a tile of queries of one head.
template <int tile>
__global__ void attentionQueryGradientKernel(Global<float> dQ, Gradients g, Operands o)
{
    SharedPieces pieces;
    const auto q = pieces.take(tile * rowLength(o));
    const auto dOut = pieces.take(tile * rowLength(o));
    const auto k = pieces.take(tile * rowLength(o));
    const auto v = pieces.take(tile * rowLength(o));
    const auto sums = pieces.take(tile * rowLength(o));
    const auto weights = pieces.take(tile * (tile + 1));
    const auto scoreGradients = pieces.take(tile * (tile + 1));

    const std::int64_t head = blockIdx.y, row0 = std::int64_t(blockIdx.z) * o.time;
    const std::int64_t kvFirst =
        row0 * o.kvStride + head / (o.heads / o.kvHeads) * std::int64_t(o.headSize);
    const std::int64_t qFirst = row0 * o.qStride + head * o.headSize;
    const std::int64_t firstQuery = std::int64_t(blockIdx.x) * tile;
    const std::int64_t firstSum = (std::int64_t(blockIdx.z) * o.heads + head) * o.time;
    loadTile<tile>(q, o.q + qFirst, firstQuery, o.qStride, o);
    loadTile<tile>(dOut, g.dOut + (row0 * o.outStride + head * o.headSize), firstQuery, o.outStride,
                   o);
    clearTile<tile>(sums, o);
    for (std::int64_t firstKey = 0; firstKey <= firstQuery; firstKey += tile) {
        __syncthreads();
        loadTile<tile>(k, o.k + kvFirst, firstKey, o.kvStride, o);
        loadTile<tile>(v, o.v + kvFirst, firstKey, o.kvStride, o);
        __syncthreads();
        backwardScores<tile>(weights, scoreGradients, q, k, v, dOut, g, firstSum, firstQuery,
                             firstKey, o);
        __syncthreads();
        for (int e = int(threadIdx.x); e < tile * o.headSize; e += attentionThreads) {
            const int i = e / o.headSize, d = e % o.headSize;
            float sum = sums[i * rowLength(o) + d];
            for (int j = 0; j < tile; ++j)
                sum += scoreGradients[i * (tile + 1) + j] * k[j * rowLength(o) + d];
            sums[i * rowLength(o) + d] = sum;
        }
    }
    __syncthreads();
    storeTile<tile>(dQ + qFirst, sums, firstQuery, o.qStride, o);
}

Operands operandsOf(const Attention& a)
{
    return {a.q,    a.k,     a.v,       a.qStride,  a.kvStride, a.outStride,
            a.time, a.heads, a.kvHeads, a.headSize, a.scale};
}

/// Bytes of shared memory for `rows` tiles and `squares` matrices of scores.
std::size_t sharedBytes(const Attention& a, int tile, int rows, int squares)
{
    const int floats = rows * tile * (a.headSize + 1) + squares * tile * (tile + 1) + tile;
    return sizeof(float) * static_cast<std::size_t>(floats);
}

dim3 gridOf(const Attention& a, int tile, int heads)
{
    return dim3(static_cast<unsigned>((a.time + tile - 1) / tile), static_cast<unsigned>(heads),
                static_cast<unsigned>(a.batch));
}

template <int tile>
void forward(cudaStream_t stream, const Attention& a, float* out, float* logSumExp)
{
    launch<attentionForwardKernel<tile>>(gridOf(a, tile, a.heads), attentionThreads,
                                         sharedBytes(a, tile, 4, 1), stream, out, logSumExp,
                                         operandsOf(a));
}

template <int tile>
void backward(cudaStream_t stream, const Attention& a, float* dQ, float* dK, float* dV,
              const Gradients& gradients)
{
    launch<attentionKeyGradientKernel<tile>>(gridOf(a, tile, a.kvHeads), attentionThreads,
                                             sharedBytes(a, tile, 6, 2), stream, dK, dV, gradients,
                                             operandsOf(a));
    launch<attentionQueryGradientKernel<tile>>(gridOf(a, tile, a.heads), attentionThreads,
                                               sharedBytes(a, tile, 5, 2), stream, dQ, gradients,
                                               operandsOf(a));
}

/// Small heads leave shared memory for larger tiles.
bool takesLargeTiles(const Attention& a)
{
    constexpr int most = 64;
    if (a.headSize > largestHeadSize)
        throw DeviceError("cannot compute attention with heads of " + std::to_string(a.headSize) +
                          " on a GPU: " + std::to_string(largestHeadSize) + " is the most");
    return a.headSize <= most;
}

} // namespace

void attentionForward(cudaStream_t stream, const Attention& a, float* out, float* logSumExp)
{
    if (a.batch == 0 || a.time == 0)
        return;
    if (takesLargeTiles(a))
        forward<32>(stream, a, out, logSumExp);
    else
        forward<16>(stream, a, out, logSumExp);
}

void attentionBackward(cudaStream_t stream, const Attention& a, float* dQ, float* dK, float* dV,
                       const float* dOut, const float* out, const float* logSumExp, float* dots)
{
    if (a.batch == 0 || a.time == 0)
        return;
    const std::int64_t tokens = a.batch * a.heads * a.time;
    const std::int64_t blocks = (tokens * warpSize32 + attentionThreads - 1) / attentionThreads;
    launch<attentionDotsKernel>(static_cast<unsigned>(blocks), attentionThreads, 0, stream, dots,
                                dOut, out, tokens, a.time, a.heads, a.headSize, a.outStride);
    const Gradients gradients{dOut, logSumExp, dots};
    if (takesLargeTiles(a))
        backward<32>(stream, a, dQ, dK, dV, gradients);
    else
        backward<16>(stream, a, dQ, dK, dV, gradients);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
