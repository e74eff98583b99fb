#pragma once

// Vectors of floats at three widths. This header and those beside it are compiled once for each
// level of instruction set, each time in a namespace of its own (TRIAXIS_SIMD) and with the
// compiler flags of the level. They include no inline library code, so that no code of a high level
// can end up in a function that all levels share.

#include <cstdint>

#if TRIAXIS_SIMD_WIDTH > 4
#include <immintrin.h>
#endif

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

inline constexpr int lanes = TRIAXIS_SIMD_WIDTH;

typedef float Float __attribute__((vector_size(TRIAXIS_SIMD_WIDTH * 4)));
typedef std::int32_t Int __attribute__((vector_size(TRIAXIS_SIMD_WIDTH * 4)));
typedef double HalfDouble __attribute__((vector_size(TRIAXIS_SIMD_WIDTH * 4)));
typedef float HalfFloat __attribute__((vector_size(TRIAXIS_SIMD_WIDTH * 2)));

#define TRIAXIS_INLINE inline __attribute__((always_inline))

/// A whole vector, or the first `count` lanes of one: how the last elements of a row are reached.
struct Whole
{
};
struct Part
{
    int count;
};

TRIAXIS_INLINE Float broadcast(float value)
{
    return value - Float{};
}

TRIAXIS_INLINE Int broadcastInt(std::int32_t value)
{
    return value - Int{};
}

TRIAXIS_INLINE Float load(const float* from, Whole = {})
{
    Float value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}

TRIAXIS_INLINE void store(float* to, Float value, Whole = {})
{
    __builtin_memcpy(to, &value, sizeof value);
}

#if TRIAXIS_SIMD_WIDTH == 16

// Masked forms, because GCC 12 takes the unused operand of the plain ones for uninitialised.
inline constexpr __mmask16 everyLane = 0xffff;

TRIAXIS_INLINE __mmask16 maskOf(Part part)
{
    return static_cast<__mmask16>((1u << part.count) - 1u);
}

TRIAXIS_INLINE Float load(const float* from, Part part)
{
    return _mm512_maskz_loadu_ps(maskOf(part), from);
}

TRIAXIS_INLINE void store(float* to, Float value, Part part)
{
    _mm512_mask_storeu_ps(to, maskOf(part), value);
}

// The second operand is the result where either is no number: it must pass through.
TRIAXIS_INLINE Float maximum(Float bound, Float value)
{
    return _mm512_maskz_max_ps(everyLane, bound, value);
}

TRIAXIS_INLINE Float minimum(Float bound, Float value)
{
    return _mm512_maskz_min_ps(everyLane, bound, value);
}

TRIAXIS_INLINE Float squareRoot(Float value)
{
    return _mm512_maskz_sqrt_ps(everyLane, value);
}

/// 1/x to 1 unit in the last place (an estimate and one step of Newton's), for 10⁻³⁷ < x < 8·10³⁷.
TRIAXIS_INLINE Float reciprocal(Float x)
{
    const Float estimate = _mm512_maskz_rcp14_ps(everyLane, x);
    return estimate * (2.0f - x * estimate);
}

/// To memory past the caches; `to` is aligned to a vector.
TRIAXIS_INLINE void storePastCaches(float* to, Float value)
{
    _mm512_stream_ps(to, value);
}

TRIAXIS_INLINE Float loadOr(const float* from, Part part, float rest)
{
    return _mm512_mask_loadu_ps(broadcast(rest), maskOf(part), from);
}

TRIAXIS_INLINE Float keep(Float value, Part part)
{
    return _mm512_maskz_mov_ps(maskOf(part), value);
}

#else

TRIAXIS_INLINE Float load(const float* from, Part part)
{
    float values[lanes] = {};
    for (int i = 0; i < part.count; ++i)
        values[i] = from[i];
    return load(values);
}

TRIAXIS_INLINE void store(float* to, Float value, Part part)
{
    for (int i = 0; i < part.count; ++i)
        to[i] = value[i];
}

TRIAXIS_INLINE Float maximum(Float bound, Float value)
{
    return bound > value ? bound : value;
}

TRIAXIS_INLINE Float minimum(Float bound, Float value)
{
    return bound < value ? bound : value;
}

TRIAXIS_INLINE Float squareRoot(Float value)
{
#if TRIAXIS_SIMD_WIDTH == 8
    return _mm256_sqrt_ps(value);
#else
    for (int i = 0; i < lanes; ++i)
        value[i] = __builtin_sqrtf(value[i]);
    return value;
#endif
}

TRIAXIS_INLINE Float reciprocal(Float x)
{
    return 1.0f / x;
}

TRIAXIS_INLINE void storePastCaches(float* to, Float value)
{
#if TRIAXIS_SIMD_WIDTH == 8
    _mm256_stream_ps(to, value);
#else
    store(to, value);
#endif
}

/// As load, with `rest` in the lanes that are not there.
TRIAXIS_INLINE Float loadOr(const float* from, Part part, float rest)
{
    float values[lanes];
    for (int i = 0; i < lanes; ++i)
        values[i] = i < part.count ? from[i] : rest;
    return load(values);
}

/// `value` in the lanes that are there, 0 in the rest.
TRIAXIS_INLINE Float keep(Float value, Part part)
{
    Float kept = {};
    for (int i = 0; i < lanes; ++i)
        kept[i] = i < part.count ? value[i] : 0;
    return kept;
}

#endif

TRIAXIS_INLINE Float loadOr(const float* from, Whole whole, float)
{
    return load(from, whole);
}

TRIAXIS_INLINE Float keep(Float value, Whole)
{
    return value;
}

/// Lane i of the result is lane (i + shift) mod lanes.
template <int shift>
TRIAXIS_INLINE Float rotated(Float value)
{
    Int from;
    for (int i = 0; i < lanes; ++i)
        from[i] = (i + shift) % lanes;
    return __builtin_shuffle(value, from);
}

/// In a fixed tree.
template <int half = lanes / 2>
TRIAXIS_INLINE float sumOf(Float value)
{
    value += rotated<half>(value);
    if constexpr (half > 1)
        return sumOf<half / 2>(value);
    else
        return value[0];
}

template <int half = lanes / 2>
TRIAXIS_INLINE float maximumOf(Float value)
{
    value = maximum(value, rotated<half>(value));
    if constexpr (half > 1)
        return maximumOf<half / 2>(value);
    else
        return value[0];
}

TRIAXIS_INLINE Int bitsOf(Float value)
{
    return __builtin_bit_cast(Int, value);
}

TRIAXIS_INLINE Float floatOf(Int bits)
{
    return __builtin_bit_cast(Float, bits);
}

/// body(i, Whole) for each whole vector of [0, count), then body(i, Part) for what is left.
template <class Body>
TRIAXIS_INLINE void forVectors(std::int64_t count, Body&& body)
{
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        body(i, Whole{});
    if (i < count)
        body(i, Part{static_cast<int>(count - i)});
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
