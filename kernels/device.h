#pragma once

#include "kernels/memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace triaxis::kernels
{

/// An in-order queue of a device. CPU streams run at enqueue on the caller's thread.
class Stream
{
public:
    virtual ~Stream() = default;
    virtual void synchronize() = 0;
};

enum class Transpose { No, Yes };

/// C[m, n] = alpha · op(A)[m, k] · op(B)[k, n] + beta · C, all row-major with leading dimensions in elements.
struct Gemm
{
    Transpose transA = Transpose::No;
    Transpose transB = Transpose::No;
    std::int64_t m = 0, n = 0, k = 0;
    float alpha = 1;
    const float* a = nullptr;
    std::int64_t lda = 0;
    const float* b = nullptr;
    std::int64_t ldb = 0;
    float beta = 0;
    float* c = nullptr;
    std::int64_t ldc = 0;
};

/// Causal self-attention over `batch` sequences of `time` tokens, computed in blocks, no [T, T] matrix kept.
/// Element (b, t, h, d) of q lies at q[(b·time + t)·qStride + h·headSize + d]; k, v, out and the gradients alike with their own strides, so
/// that a fused qkv matrix needs no copy. Query head h uses key/value head h / (heads / kvHeads).
struct Attention
{
    std::int64_t batch = 0, time = 0;
    int heads = 0, kvHeads = 0, headSize = 0;
    float scale = 0;                    ///< usually 1/√headSize
    const float* q = nullptr;
    const float* k = nullptr;
    const float* v = nullptr;
    std::int64_t qStride = 0, kvStride = 0;
    std::int64_t outStride = 0;
};

struct AdamW
{
    float learningRate = 0, beta1 = 0, beta2 = 0, epsilon = 0;
    float weightDecay = 0;              ///< decoupled: w −= lr·decay·w
    float gradientScale = 1;            ///< clipping factor, applied to the gradient first
    std::int64_t step = 1;              ///< from 1, for the bias corrections
    /// On the device, instead of gradientScale where it is not null. Where it is no number, nothing is updated.
    const float* gradientScaleAt = nullptr;
};

/// A compute device and its arithmetic, float32. Nothing here knows what a transformer is beyond single operations. One
/// function for each operation, sizes and stream explicit; each has a CPU and (later) a CUDA twin.
/// `rows` × `width` matrices are row-major and dense unless a stride is given.
class Device
{
public:
    virtual ~Device() = default;

    virtual std::string name() const = 0;         ///< "CPU, 2 threads"
    virtual std::string blasName() const = 0;     ///< "OpenBLAS 0.3.21, kernel SkylakeX (set by OPENBLAS_CORETYPE)"
    virtual int hostThreads() const = 0;          ///< threads of the host that may work for this device
    virtual std::unique_ptr<Stream> makeStream() = 0;

    /// Uninitialised memory. Freed blocks are kept in a pool for the next step. Throws DeviceError when there is none left.
    Buffer allocate(std::size_t bytes, MemoryUse use);
    Buffer allocateFloats(std::int64_t count, MemoryUse use);
    MemoryFigures memory() const { return m_memory; }
    /// Bytes of it that this process may take beside those it has, as far as the system tells now; −1: not known.
    virtual std::int64_t availableBytes() const { return -1; }
    void resetPeaks();

    virtual void copyToDevice(Stream&, void* device, const void* host, std::size_t bytes) = 0;
    virtual void copyToHost(Stream&, void* host, const void* device, std::size_t bytes) = 0;
    virtual void copy(Stream&, float* to, const float* from, std::int64_t count) = 0;
    virtual void fill(Stream&, float* to, float value, std::int64_t count) = 0;

    virtual void gemm(Stream&, const Gemm&) = 0;
    /// C = the product + bias[n]. beta is 0 and C dense.
    virtual void gemmBias(Stream&, const Gemm&, const float* bias);
    /// The same, and y[m, n] = gelu(C); see geluForward. bias may be null.
    virtual void gemmBiasGelu(Stream&, const Gemm&, float* y, const float* bias);
    virtual void add(Stream&, float* to, const float* from, std::int64_t count) = 0;              ///< to += from
    virtual void scale(Stream&, float* values, float factor, std::int64_t count) = 0;
    /// y[r, :] += bias
    virtual void addBias(Stream&, float* y, const float* bias, std::int64_t rows, std::int64_t width) = 0;
    /// dBias += Σ_r dY[r, :]
    virtual void biasGradient(Stream&, float* dBias, const float* dY, std::int64_t rows, std::int64_t width) = 0;
    /// x += branch (+ bias, which may be null): the residual addition after a row-parallel layer.
    virtual void addResidual(Stream&, float* x, const float* branch, const float* bias, std::int64_t rows,
                             std::int64_t width) = 0;

    /// y = (x − mean)·rstd·weight + bias; mean and rstd [rows] are kept for the backward.
    virtual void layerNormForward(Stream&, float* y, float* mean, float* rstd, const float* x, const float* weight,
                                  const float* bias, float epsilon, std::int64_t rows, std::int64_t width) = 0;
    /// dX += …; dWeight += …; dBias += …
    virtual void layerNormBackward(Stream&, float* dX, float* dWeight, float* dBias, const float* dY, const float* x,
                                   const float* weight, const float* mean, const float* rstd, std::int64_t rows,
                                   std::int64_t width) = 0;
    virtual void rmsNormForward(Stream&, float* y, float* rstd, const float* x, const float* weight, float epsilon,
                                std::int64_t rows, std::int64_t width) = 0;
    virtual void rmsNormBackward(Stream&, float* dX, float* dWeight, const float* dY, const float* x,
                                 const float* weight, const float* rstd, std::int64_t rows, std::int64_t width) = 0;

    /// y = gelu(x + bias) with the tanh form ("gelu_new"); x becomes x + bias, kept for the backward. bias may be null.
    virtual void geluForward(Stream&, float* y, float* x, const float* bias, std::int64_t rows, std::int64_t width) = 0;
    /// dX = dY · gelu'(x); dX may be dY.
    virtual void geluBackward(Stream&, float* dX, const float* dY, const float* x, std::int64_t count) = 0;
    /// y = silu(gate) · up.
    virtual void swigluForward(Stream&, float* y, const float* gate, const float* up, std::int64_t count) = 0;
    virtual void swigluBackward(Stream&, float* dGate, float* dUp, const float* dY, const float* gate, const float* up,
                                std::int64_t count) = 0;

    /// Rotary positions in place, Hugging Face's half-split form, for `heads` heads starting at x; token r has position r mod time.
    /// `inverse` rotates back (the backward).
    virtual void rope(Stream&, float* x, std::int64_t stride, std::int64_t rows, std::int64_t time, int heads,
                      int headSize, float theta, bool inverse) = 0;

    /// out and logSumExp [batch, heads, time].
    virtual void attentionForward(Stream&, const Attention&, float* out, float* logSumExp) = 0;
    /// dQ, dK, dV are written (not added to), with the strides of q and kv.
    virtual void attentionBackward(Stream&, const Attention&, float* dQ, float* dK, float* dV, const float* dOut,
                                   const float* out, const float* logSumExp) = 0;

    /// y[r, :] = table[token[r] − firstEntry, :] where the token is one of `entries` rows of this rank, else 0;
    /// plus position[r mod time, :] where `position` is not null.
    virtual void embeddingForward(Stream&, float* y, const std::int32_t* tokens, const float* table,
                                  const float* position, std::int64_t rows, std::int64_t time, std::int64_t width,
                                  std::int64_t firstEntry, std::int64_t entries) = 0;
    /// dTable and dPosition (may be null) are added to, in row order (deterministic).
    virtual void embeddingBackward(Stream&, float* dTable, float* dPosition, const float* dY,
                                   const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                                   std::int64_t width, std::int64_t firstEntry, std::int64_t entries) = 0;

    /// Cross-entropy over a vocabulary that is split over ranks. logits [rows, stride], of which `entries` columns are real.
    /// 1: maximum[r] over this rank's entries (−∞ where it has none).
    virtual void rowMaximum(Stream&, float* maximum, const float* logits, std::int64_t rows, std::int64_t entries,
                            std::int64_t stride) = 0;
    /// 2: with the maximum over all ranks: sums[2r] = Σ exp(logit − max), sums[2r+1] = logit of the target − max (0 if not here).
    /// logits become exp(logit − max).
    virtual void exponentialSums(Stream&, float* sums, float* logits, const float* maximum,
                                 const std::int32_t* targets, std::int64_t rows, std::int64_t entries,
                                 std::int64_t stride, std::int64_t firstEntry) = 0;
    /// 3: with the sums over all ranks, total += the sum over rows of log(sums[2r]) − sums[2r+1], in row order, in double.
    virtual void addCrossEntropySum(Stream&, double* total, const float* sums, std::int64_t rows) = 0;
    /// The same, given to the host, which waits for it.
    double crossEntropySum(Stream&, const float* sums, std::int64_t rows);
    /// 4: logits (already exponentials) become the gradient (softmax − one-hot)·factor; columns entries … stride−1 become 0.
    virtual void crossEntropyGradient(Stream&, float* logits, const float* sums, const std::int32_t* targets,
                                      float factor, std::int64_t rows, std::int64_t entries, std::int64_t stride,
                                      std::int64_t firstEntry) = 0;

    /// total += Σ x², in double, in a fixed order.
    virtual void addSumOfSquares(Stream&, double* total, const float* x, std::int64_t count) = 0;
    /// The same, given to the host, which waits for it.
    double sumOfSquares(Stream&, const float* x, std::int64_t count);
    /// factor = what brings gradients of that norm down to `clipNorm`: 1 if it is smaller, or clipping is off (0); no number if the
    /// norm is not finite.
    virtual void clipFactor(Stream&, float* factor, const double* squaredNorm, double clipNorm) = 0;
    virtual bool allFinite(Stream&, const float* x, std::int64_t count) = 0;
    virtual void adamW(Stream&, float* weight, float* m, float* v, const float* gradient, const AdamW&,
                       std::int64_t count) = 0;

protected:
    friend class Buffer;
    virtual void* rawAllocate(std::size_t bytes) = 0;      ///< null when there is no memory
    virtual void rawFree(void* data, std::size_t bytes) = 0;
    void returned(void* data, std::size_t bytes, MemoryUse use) noexcept;

private:
    template <class Add>
    double numberFor(Stream& stream, Add add);

    MemoryFigures m_memory;
};

/// The CPU device with `threads` threads (OpenBLAS and our own loops), never more than the cores this process may use.
/// `progress` is called between blocks of long operations so that MPI can move messages; may be empty.
struct CpuDeviceOptions
{
    int threads = 1;
    void (*progress)(void* context) = nullptr;
    void* progressContext = nullptr;
};
std::unique_ptr<Device> makeCpuDevice(const CpuDeviceOptions& options);

} // namespace triaxis::kernels
