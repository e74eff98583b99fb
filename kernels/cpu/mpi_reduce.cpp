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

/// At most a tile. `to` may be one of the sources: each is read before the last combination writes.
template <typename T>
void reduceTile(T* to, const std::vector<const void*>& sources, std::size_t begin,
                std::size_t length, Reduction reduction)
{
    const auto source = [&](std::size_t i) { return static_cast<const T*>(sources[i]) + begin; };
    const std::size_t last = sources.size() - 1;
    if (last == 0) {
        if (to != source(0))
            std::memcpy(to, source(0), length * sizeof(T));
        return;
    }
    if (last == 1)
        return combine(to, source(0), source(1), length, reduction);
    std::array<T, tile> partial;
    combine(partial.data(), source(0), source(1), length, reduction);
    for (std::size_t i = 2; i < last; ++i)
        combine(partial.data(), partial.data(), source(i), length, reduction);
    combine(to, partial.data(), source(last), length, reduction);
}

template <typename T>
void reduce(T* to, T* also, const std::vector<const void*>& sources, std::size_t count,
            Reduction reduction)
{
    for (std::size_t begin = 0; begin < count; begin += tile) {
        const std::size_t length = std::min(tile, count - begin);
        reduceTile(to + begin, sources, begin, length, reduction);
        if (also != nullptr)
            std::memcpy(also + begin, to + begin, length * sizeof(T));
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

void reduceInOrder(void* to, void* also, const std::vector<const void*>& sources, std::size_t count,
                   Element element, Reduction reduction)
{
    if (count == 0 || sources.empty())
        return;
    switch (element) {
    case Element::Float:
        return reduce(static_cast<float*>(to), static_cast<float*>(also), sources, count,
                      reduction);
    case Element::Double:
        return reduce(static_cast<double*>(to), static_cast<double*>(also), sources, count,
                      reduction);
    }
}

} // namespace triaxis::kernels::mpi
