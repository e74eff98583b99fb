#pragma once

#include "kernels/cpu/simd/vector.h"

namespace triaxis::kernels::cpu::TRIAXIS_SIMD
{

inline void layerNormForward(float* y, float* mean, float* rstd, const float* x,
                             const float* weight, const float* bias, float epsilon,
                             std::int64_t rows, std::int64_t width)
{
    const float share = 1.0f / static_cast<float>(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = x + r * width;
        float* const out = y + r * width;
        Float sum = {};
        forVectors(width, [&](std::int64_t i, auto part) { sum += load(in + i, part); });
        const float average = sumOf(sum) * share;
        Float squares = {};
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float difference = keep(load(in + i, part) - average, part);
            squares += difference * difference;
        });
        const float scaling = 1.0f / __builtin_sqrtf(sumOf(squares) * share + epsilon);
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float normal = (load(in + i, part) - average) * scaling;
            store(out + i, normal * load(weight + i, part) + load(bias + i, part), part);
        });
        mean[r] = average;
        rstd[r] = scaling;
    }
}

/// With x̂ = (x − mean)·rstd and g = dY·weight: dX += rstd·(g − mean(g) − x̂·mean(g·x̂)).
inline void layerNormBackward(float* dX, float* dWeight, float* dBias, const float* dY,
                              const float* x, const float* weight, const float* mean,
                              const float* rstd, std::int64_t rows, std::int64_t width)
{
    const float share = 1.0f / static_cast<float>(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = x + r * width;
        const float* const dOut = dY + r * width;
        float* const dIn = dX + r * width;
        const float average = mean[r];
        const float scaling = rstd[r];
        Float sum = {}, product = {};
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float dy = load(dOut + i, part);
            const Float normal = (load(in + i, part) - average) * scaling;
            const Float g = dy * load(weight + i, part);
            sum += g;
            product += g * normal;
            store(dWeight + i, load(dWeight + i, part) + dy * normal, part);
            store(dBias + i, load(dBias + i, part) + dy, part);
        });
        const float meanG = sumOf(sum) * share;
        const float meanProduct = sumOf(product) * share;
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float normal = (load(in + i, part) - average) * scaling;
            const Float g = load(dOut + i, part) * load(weight + i, part);
            const Float gradient = scaling * (g - meanG - normal * meanProduct);
            store(dIn + i, load(dIn + i, part) + gradient, part);
        });
    }
}

inline void rmsNormForward(float* y, float* rstd, const float* x, const float* weight,
                           float epsilon, std::int64_t rows, std::int64_t width)
{
    const float share = 1.0f / static_cast<float>(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = x + r * width;
        float* const out = y + r * width;
        Float squares = {};
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float value = load(in + i, part);
            squares += value * value;
        });
        const float scaling = 1.0f / __builtin_sqrtf(sumOf(squares) * share + epsilon);
        forVectors(width, [&](std::int64_t i, auto part) {
            store(out + i, load(in + i, part) * scaling * load(weight + i, part), part);
        });
        rstd[r] = scaling;
    }
}

/// With x̂ = x·rstd and g = dY·weight: dX += rstd·(g − x̂·mean(g·x̂)).
inline void rmsNormBackward(float* dX, float* dWeight, const float* dY, const float* x,
                            const float* weight, const float* rstd, std::int64_t rows,
                            std::int64_t width)
{
    const float share = 1.0f / static_cast<float>(width);
    for (std::int64_t r = 0; r < rows; ++r) {
        const float* const in = x + r * width;
        const float* const dOut = dY + r * width;
        float* const dIn = dX + r * width;
        const float scaling = rstd[r];
        Float product = {};
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float dy = load(dOut + i, part);
            const Float normal = load(in + i, part) * scaling;
            product += dy * load(weight + i, part) * normal;
            store(dWeight + i, load(dWeight + i, part) + dy * normal, part);
        });
        const float meanProduct = sumOf(product) * share;
        forVectors(width, [&](std::int64_t i, auto part) {
            const Float normal = load(in + i, part) * scaling;
            const Float g = load(dOut + i, part) * load(weight + i, part);
            store(dIn + i, load(dIn + i, part) + scaling * (g - normal * meanProduct), part);
        });
    }
}

} // namespace triaxis::kernels::cpu::TRIAXIS_SIMD
