#pragma once

#include <cstdint>

namespace triaxis::kernels::cpu
{

/// One rank's share of the AdamW step, with what is the same for all elements worked out.
struct AdamWFactors
{
    float gradientScale = 1, beta1 = 0, beta2 = 0;
    float rate = 0;            ///< lr / (1 − β1ᵗ)
    float inverseRootBias = 0; ///< 1 / √(1 − β2ᵗ)
    float epsilon = 0;
    float keep = 1; ///< 1 − lr·decay
};

/// C[m, n] (+)= A[m, k] · B[k, n]: A by row and column stride (so that it may be transposed), rows
/// of B and C contiguous.
struct BlockProduct
{
    std::int64_t m = 0, n = 0, k = 0;
    const float* a = nullptr;
    std::int64_t aRow = 0, aColumn = 0;
    const float* b = nullptr;
    std::int64_t bRow = 0;
    float* c = nullptr;
    std::int64_t cRow = 0;
    bool accumulate = false;
};

/// Scores of some queries against some keys: row r is at scores[r·stride] and sees the first
/// visible + r of `columns` keys (or all). What it does not see becomes 0.
struct ScoreBlock
{
    float* scores = nullptr;
    std::int64_t stride = 0;
    std::int64_t rows = 0, columns = 0;
    std::int64_t visible = 0;
};

/// The loops of the CPU device on one thread, at one level of instruction set. Sizes as in
/// kernels/device.h; `rows` × `width` matrices are dense.
struct KernelTable
{
    const char* name;
    int lanes;

    void (*fill)(float* to, float value, std::int64_t count, bool pastCaches);
    void (*add)(float* to, const float* from, std::int64_t count);
    void (*scale)(float* values, float factor, std::int64_t count);
    void (*addBias)(float* y, const float* bias, std::int64_t rows, std::int64_t width);
    /// to[j] += Σ_r from[r·stride + j] for j < width, in row order
    void (*sumRows)(float* to, const float* from, std::int64_t stride, std::int64_t rows,
                    std::int64_t width);
    void (*addResidual)(float* x, const float* branch, const float* bias, std::int64_t rows,
                        std::int64_t width);

    void (*layerNormForward)(float* y, float* mean, float* rstd, const float* x,
                             const float* weight, const float* bias, float epsilon,
                             std::int64_t rows, std::int64_t width);
    /// dX += …; dWeight and dBias are added to, as well (the caller gives each block of rows its
    /// own)
    void (*layerNormBackward)(float* dX, float* dWeight, float* dBias, const float* dY,
                              const float* x, const float* weight, const float* mean,
                              const float* rstd, std::int64_t rows, std::int64_t width);
    void (*rmsNormForward)(float* y, float* rstd, const float* x, const float* weight,
                           float epsilon, std::int64_t rows, std::int64_t width);
    void (*rmsNormBackward)(float* dX, float* dWeight, const float* dY, const float* x,
                            const float* weight, const float* rstd, std::int64_t rows,
                            std::int64_t width);

    void (*geluForward)(float* y, float* x, const float* bias, std::int64_t rows,
                        std::int64_t width);
    void (*geluBackward)(float* dX, const float* dY, const float* x, std::int64_t count);
    void (*swigluForward)(float* y, const float* gate, const float* up, std::int64_t count);
    void (*swigluBackward)(float* dGate, float* dUp, const float* dY, const float* gate,
                           const float* up, std::int64_t count);
    /// Rotates the pairs (x[i], x[half + i]) of one head by the angles given as cosines and sines
    /// [half].
    void (*rotate)(float* x, const float* cosines, const float* sines, float sign,
                   std::int64_t half);

    void (*multiply)(const BlockProduct& product);
    /// to[j, i] = from[i·stride + j] for i < rows, j < columns; rows of `to` are toStride apart
    void (*transpose)(float* to, std::int64_t toStride, const float* from, std::int64_t stride,
                      std::int64_t rows, std::int64_t columns);
    /// to[r, :] = from[r·stride, :]·factor, `to` dense
    void (*pack)(float* to, const float* from, std::int64_t stride, float factor, std::int64_t rows,
                 std::int64_t width);
    /// to[r·stride, :] = from[r, :]·factor, `from` dense
    void (*unpack)(float* to, std::int64_t stride, const float* from, float factor,
                   std::int64_t rows, std::int64_t width);
    /// Scores become exp(score − new maximum of the row); maxima and sums are brought up to date;
    /// factors[r] is for what the row had gathered before.
    void (*softmaxBlock)(const ScoreBlock& block, float* maxima, float* sums, float* factors);
    /// Scores become p = exp(score − logSumExp), dP becomes p·(dP − dot) (same stride).
    void (*softmaxBackwardBlock)(const ScoreBlock& block, float* dP, const float* logSumExp,
                                 const float* dots);
    /// to[r, :] *= factors[r], dense
    void (*scaleRows)(float* to, const float* factors, std::int64_t rows, std::int64_t width);
    float (*dot)(const float* a, const float* b, std::int64_t count);

    float (*maximum)(const float* x, std::int64_t count);
    /// x becomes exp(x − maximum); returns the sum
    double (*exponentials)(float* x, float maximum, std::int64_t count);
    double (*sumOfSquares)(const float* x, std::int64_t count);
    bool (*allFinite)(const float* x, std::int64_t count);
    void (*adamW)(float* weight, float* m, float* v, const float* gradient,
                  const AdamWFactors& factors, std::int64_t count);
};

enum class SimdLevel { Baseline, Avx2, Avx512 };

/// The table of a level; null where this program or this processor has it not.
const KernelTable* kernelTable(SimdLevel level);
/// The highest level there is.
SimdLevel bestSimdLevel();

const KernelTable& baselineKernels();
const KernelTable& avx2Kernels();
const KernelTable& avx512Kernels();

} // namespace triaxis::kernels::cpu
