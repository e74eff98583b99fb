#include "kernels/cpu/mpi_reduce.h"

#include "kernels/error.h"

#include <algorithm>
#include <array>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) &&                             \
    !defined(__SANITIZE_ADDRESS__)
#define TRIAXIS_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TRIAXIS_VECTOR_CLONES
#endif

namespace triaxis::kernels::mpi
{

namespace
{

/// Elements that are reduced over all sources before the next ones are read: they stay in the
/// first-level cache.
constexpr std::size_t tile = 2048;

// `to` may be a or b: ivdep promises only that no element depends on another one.

TRIAXIS_VECTOR_CLONES void combineSum(float* to, const float* a, const float* b, std::size_t count)
{
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i)
        to[i] = a[i] + b[i];
}

TRIAXIS_VECTOR_CLONES void combineSum(double* to, const double* a, const double* b,
                                      std::size_t count)
{
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i)
        to[i] = a[i] + b[i];
}

TRIAXIS_VECTOR_CLONES void combineMaximum(float* to, const float* a, const float* b,
                                          std::size_t count)
{
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i)
        to[i] = a[i] > b[i] || a[i] != a[i] ? a[i] : b[i];
}

TRIAXIS_VECTOR_CLONES void combineMaximum(double* to, const double* a, const double* b,
                                          std::size_t count)
{
#pragma GCC ivdep
    for (std::size_t i = 0; i < count; ++i)
        to[i] = a[i] > b[i] || a[i] != a[i] ? a[i] : b[i];
}

template <typename T>
void combine(T* to, const T* a, const T* b, std::size_t count, Reduction reduction)
{
    switch (reduction) {
    case Reduction::Sum:
        combineSum(to, a, b, count);
        break;
    case Reduction::Maximum:
        combineMaximum(to, a, b, count);
        break;
    }
}

template <typename T>
void reduce(T* to, const std::vector<const void*>& sources, std::size_t count, Reduction reduction)
{
    const auto source = [&](std::size_t i) { return static_cast<const T*>(sources[i]); };
    if (sources.size() == 1) {
        if (to != source(0))
            std::memcpy(to, source(0), count * sizeof(T));
        return;
    }
    if (sources.size() == 2)
        return combine(to, source(0), source(1), count, reduction);
    std::array<T, tile> partial;
    for (std::size_t begin = 0; begin < count; begin += tile) {
        const std::size_t length = std::min(tile, count - begin);
        combine(partial.data(), source(0) + begin, source(1) + begin, length, reduction);
        for (std::size_t i = 2; i + 1 < sources.size(); ++i)
            combine(partial.data(), partial.data(), source(i) + begin, length, reduction);
        combine(to + begin, partial.data(), source(sources.size() - 1) + begin, length, reduction);
    }
}

} // namespace

std::size_t elementBytes(Element element)
{
    switch (element) {
    case Element::Float:
        return sizeof(float);
    case Element::Double:
        return sizeof(double);
    }
    throw DeviceError("unknown element type of an all-reduce");
}

void reduceInOrder(void* to, const std::vector<const void*>& sources, std::size_t count,
                   Element element, Reduction reduction)
{
    if (count == 0 || sources.empty())
        return;
    switch (element) {
    case Element::Float:
        return reduce(static_cast<float*>(to), sources, count, reduction);
    case Element::Double:
        return reduce(static_cast<double*>(to), sources, count, reduction);
    }
}

} // namespace triaxis::kernels::mpi
