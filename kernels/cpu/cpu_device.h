#pragma once

#include "kernels/cpu/memory_pool.h"
#include "kernels/cpu/simd/kernel_table.h"
#include "kernels/cpu/thread_pool.h"
#include "kernels/device.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

namespace triaxis::kernels::cpu
{

/// Operations run at enqueue on the caller's thread and its helpers. Results are the same from run
/// to run and, but for the rounding of matrix products, which some BLAS kernels do otherwise at the
/// seam between two threads, for any number of threads.
class CpuDevice final : public Device
{
public:
    CpuDevice(const CpuDeviceOptions& options, const KernelTable& kernels);

    std::string name() const override;
    std::string blasName() const override;
    int hostThreads() const override { return m_pool.threads(); }
    std::unique_ptr<Stream> makeStream() override;

    void copyToDevice(Stream&, void* device, const void* host, std::size_t bytes) override;
    void copyToHost(Stream&, void* host, const void* device, std::size_t bytes) override;
    void copy(Stream&, float* to, const float* from, std::int64_t count) override;
    void fill(Stream&, float* to, float value, std::int64_t count) override;

    void gemm(Stream&, const Gemm& product) override;
    void add(Stream&, float* to, const float* from, std::int64_t count) override;
    void scale(Stream&, float* values, float factor, std::int64_t count) override;
    void addBias(Stream&, float* y, const float* bias, std::int64_t rows,
                 std::int64_t width) override;
    void biasGradient(Stream&, float* dBias, const float* dY, std::int64_t rows,
                      std::int64_t width) override;
    void addResidual(Stream&, float* x, const float* branch, const float* bias, std::int64_t rows,
                     std::int64_t width) override;

    void layerNormForward(Stream&, float* y, float* mean, float* rstd, const float* x,
                          const float* weight, const float* bias, float epsilon, std::int64_t rows,
                          std::int64_t width) override;
    void layerNormBackward(Stream&, float* dX, float* dWeight, float* dBias, const float* dY,
                           const float* x, const float* weight, const float* mean,
                           const float* rstd, std::int64_t rows, std::int64_t width) override;
    void rmsNormForward(Stream&, float* y, float* rstd, const float* x, const float* weight,
                        float epsilon, std::int64_t rows, std::int64_t width) override;
    void rmsNormBackward(Stream&, float* dX, float* dWeight, const float* dY, const float* x,
                         const float* weight, const float* rstd, std::int64_t rows,
                         std::int64_t width) override;

    void geluForward(Stream&, float* y, float* x, const float* bias, std::int64_t rows,
                     std::int64_t width) override;
    void geluBackward(Stream&, float* dX, const float* dY, const float* x,
                      std::int64_t count) override;
    void swigluForward(Stream&, float* y, const float* gate, const float* up,
                       std::int64_t count) override;
    void swigluBackward(Stream&, float* dGate, float* dUp, const float* dY, const float* gate,
                        const float* up, std::int64_t count) override;
    void rope(Stream&, float* x, std::int64_t stride, std::int64_t rows, std::int64_t time,
              int heads, int headSize, float theta, bool inverse) override;

    void attentionForward(Stream&, const Attention&, float* out, float* logSumExp) override;
    void attentionBackward(Stream&, const Attention&, float* dQ, float* dK, float* dV,
                           const float* dOut, const float* out, const float* logSumExp) override;

    void embeddingForward(Stream&, float* y, const std::int32_t* tokens, const float* table,
                          const float* position, std::int64_t rows, std::int64_t time,
                          std::int64_t width, std::int64_t firstEntry,
                          std::int64_t entries) override;
    void embeddingBackward(Stream&, float* dTable, float* dPosition, const float* dY,
                           const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                           std::int64_t width, std::int64_t firstEntry,
                           std::int64_t entries) override;

    void rowMaximum(Stream&, float* maximum, const float* logits, std::int64_t rows,
                    std::int64_t entries, std::int64_t stride) override;
    void exponentialSums(Stream&, float* sums, float* logits, const float* maximum,
                         const std::int32_t* targets, std::int64_t rows, std::int64_t entries,
                         std::int64_t stride, std::int64_t firstEntry) override;
    void addCrossEntropySum(Stream&, double* total, const float* sums, std::int64_t rows) override;
    void crossEntropyGradient(Stream&, float* logits, const float* sums,
                              const std::int32_t* targets, float factor, std::int64_t rows,
                              std::int64_t entries, std::int64_t stride,
                              std::int64_t firstEntry) override;

    void addSumOfSquares(Stream&, double* total, const float* x, std::int64_t count) override;
    void clipFactor(Stream&, float* factor, const double* squaredNorm, double clipNorm) override;
    bool allFinite(Stream&, const float* x, std::int64_t count) override;
    void adamW(Stream&, float* weight, float* m, float* v, const float* gradient, const AdamW&,
               std::int64_t count) override;

protected:
    void* rawAllocate(std::size_t bytes) override { return m_memory.allocate(bytes); }
    void rawFree(void* data, std::size_t) override { m_memory.release(data); }

private:
    /// Cosines and sines of the rotary angles, [time, headSize / 2] each, kept for the next layer.
    struct RotaryTable
    {
        std::vector<float> cosines, sines;
    };
    using RotaryKey = std::tuple<std::int64_t, int, float>;
    const RotaryTable& rotaryTable(std::int64_t time, int headSize, float theta);

    /// body(begin, end) over elements or rows, of which each costs about `cost` elementary steps.
    template <class Body>
    void forRange(std::int64_t count, std::int64_t cost, Body&& body)
    {
        constexpr std::int64_t chunkCost = 32768;
        const std::int64_t grain = cost >= chunkCost ? 1 : chunkCost / (cost > 0 ? cost : 1);
        m_pool.runRanges(count, grain,
                         [&](std::int64_t begin, std::int64_t end, int) { body(begin, end); });
    }

    MemoryPool m_memory;
    ThreadPool m_pool;
    const KernelTable& m_kernels;
    std::map<RotaryKey, RotaryTable> m_rotary;
};

/// As makeCpuDevice, with the loops of one level (for tests). Null where the processor has it not.
std::unique_ptr<Device> makeCpuDevice(const CpuDeviceOptions& options, SimdLevel level);

} // namespace triaxis::kernels::cpu
