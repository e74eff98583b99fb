#pragma once

#include "kernels/cuda/cuda_memory.h"
#include "kernels/cuda/cuda_stream.h"
#include "kernels/cuda/products.h"
#include "kernels/cuda/uploads.h"
#include "kernels/device.h"
#include "kernels/gpu.h"

#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// One GPU of this host, for one process. Operations are put into its computing stream and run
/// later, in order; those that give a number to the host wait for it. There is one such stream,
/// whichever of makeStream() is named: freed memory is handed out in its order (see BlockPool).
class CudaDevice final : public Device
{
public:
    /// Throws DeviceError: no driver, no such GPU.
    explicit CudaDevice(int number, GpuPrecision precision = GpuPrecision::Float32);
    int number() const { return m_number; }

    std::string name() const override { return m_name; }
    std::string blasName() const override { return Products::libraryName(); }
    int hostThreads() const override { return m_hostThreads; }
    std::unique_ptr<Stream> makeStream() override;

    std::int64_t availableBytes() const override;
    /// So many ranks of the run take of its memory, this one among them.
    void setSharers(int ranks) { m_sharers = ranks; }
    void setHostThreads(int threads) { m_hostThreads = threads; }
    /// Whether an address is of this device's memory.
    bool owns(const void* address) const { return m_memory.owns(address); }
    cudaStream_t computing() const { return m_compute->get(); }
    /// What is put into `stream` from now on runs after all that was put into the computing stream.
    void holdBackForCompute(cudaStream_t stream);

    void copyToDevice(Stream&, void* device, const void* host, std::size_t bytes) override;
    void copyToHost(Stream&, void* host, const void* device, std::size_t bytes) override;
    void copy(Stream&, float* to, const float* from, std::int64_t count) override;
    void fill(Stream&, float* to, float value, std::int64_t count) override;

    void gemm(Stream&, const Gemm& product) override;
    void gemmBias(Stream&, const Gemm& product, const float* bias) override;
    void gemmBiasGelu(Stream&, const Gemm& product, float* y, const float* bias) override;
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

private:
    struct RotaryTable
    {
        Buffer cosines, sines;
    };

    /// A factor of a product, dense but for the ends of its rows.
    struct Rounded
    {
        Buffer values;
        std::int64_t stride = 0;
    };

    void* rawAllocate(std::size_t bytes) override { return m_memory.allocate(bytes); }
    void rawFree(void* data, std::size_t) override { m_memory.release(data); }

    cudaStream_t compute() const { return computing(); }
    /// gemm() with what follows it; false, and nothing done, where it cannot be one.
    bool multiply(const Gemm& product, const Products::Epilogue& epilogue);
    Rounded rounded(const float* from, std::int64_t rows, std::int64_t columns,
                    std::int64_t stride);
    const RotaryTable& rotaryTable(std::int64_t time, int headSize, float theta);
    double* result() const { return static_cast<double*>(m_sums.data()); }
    double* partials() const { return result() + 1; }

    int m_number;
    int m_sharers = 1;
    int m_hostThreads = 1;
    GpuPrecision m_precision;
    std::string m_name;
    std::shared_ptr<CudaStream> m_compute;
    BlockPool m_memory;
    CudaEvent m_computed;
    PinnedBuffer m_fetched;
    Uploads m_uploads;
    // Of the pool, and gone before it.
    Buffer m_sums;
    Buffer m_workspace;
    std::unique_ptr<Products> m_products;
    std::map<std::tuple<std::int64_t, int, float>, RotaryTable> m_rotary;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
