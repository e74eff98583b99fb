#include "kernels/cuda/cuda_device.h"

#include "kernels/cuda/kernels.h"
#include "kernels/cuda/language.h"

#include <cstring>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

#if defined(TRIAXIS_CUDA_EMULATED)
constexpr std::size_t productWorkspace = 4096;
#else
constexpr std::size_t productWorkspace = std::size_t(32) << 20; // what cuBLAS takes on Hopper
#endif

/// So many bytes are copied to the host by way of pinned memory.
constexpr std::size_t fetchedAtOnce = 4096;

/// The one computing stream, as callers hold it.
class ComputeStream final : public Stream
{
public:
    explicit ComputeStream(std::shared_ptr<CudaStream> stream) : m_stream(std::move(stream)) {}
    void synchronize() override { m_stream->synchronize(); }

private:
    std::shared_ptr<CudaStream> m_stream;
};

/// "NVIDIA H200, 139.8 GiB, compute capability 9.0"
std::string describe(int number)
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, number), "reading its properties");
    const auto tenths = properties.totalGlobalMem * 10 >> 30;
    return std::string(properties.name) + ", " + std::to_string(tenths / 10) + '.' +
           std::to_string(tenths % 10) + " GiB, compute capability " +
           std::to_string(properties.major) + '.' + std::to_string(properties.minor);
}

/// Everything after it belongs to the GPU.
int choose(int number)
{
    check(cudaSetDevice(number), ("choosing GPU " + std::to_string(number)).c_str());
    return number;
}

} // namespace

CudaDevice::CudaDevice(int number, GpuPrecision precision)
    : m_number(choose(number)), m_precision(precision),
      m_name(describe(number) +
             (precision == GpuPrecision::Bfloat16 ? ", products in bfloat16" : "")),
      m_compute(std::make_shared<CudaStream>()), m_memory(m_compute->get()),
      m_fetched(fetchedAtOnce),
      m_sums(allocate(sizeof(double) * (1 + reductionBlocks), MemoryUse::Workspace)),
      m_workspace(allocate(productWorkspace, MemoryUse::Workspace)),
      m_products(std::make_unique<Products>(m_workspace.data(), productWorkspace))
{
}

std::unique_ptr<Stream> CudaDevice::makeStream()
{
    return std::make_unique<ComputeStream>(m_compute);
}

std::int64_t CudaDevice::availableBytes() const
{
    std::size_t available = 0, total = 0;
    check(cudaMemGetInfo(&available, &total), "reading how much memory is free");
    return std::int64_t(available / std::size_t(m_sharers));
}

void CudaDevice::holdBackForCompute(cudaStream_t stream)
{
    m_computed.record(compute());
    m_computed.holdBack(stream);
}

void CudaDevice::copyToDevice(Stream&, void* device, const void* host, std::size_t bytes)
{
    if (bytes <= Uploads::largest)
        return m_uploads.copy(compute(), device, host, bytes);
    check(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, compute()),
          "copying to the GPU");
}

void CudaDevice::copyToHost(Stream&, void* host, const void* device, std::size_t bytes)
{
    const bool small = bytes <= m_fetched.bytes();
    check(cudaMemcpyAsync(small ? m_fetched.data() : host, device, bytes, cudaMemcpyDeviceToHost,
                          compute()),
          "copying from the GPU");
    if (!small)
        return;
    m_compute->synchronize();
    m_uploads.startOver();
    std::memcpy(host, m_fetched.data(), bytes);
}

void CudaDevice::copy(Stream&, float* to, const float* from, std::int64_t count)
{
    check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(count) * sizeof(float),
                          cudaMemcpyDeviceToDevice, compute()),
          "copying on the GPU");
}

void CudaDevice::fill(Stream&, float* to, float value, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::fill(compute(), to, value, count);
}

void CudaDevice::gemm(Stream&, const Gemm& product)
{
    const bool empty = product.m == 0 || product.n == 0 || product.k == 0;
    if (empty)
        return m_products->multiply(compute(), product, Factors::Float32);
    if (!multiply(product, {}))
        throw DeviceError("cuBLASLt knows no algorithm for a product of these sizes");
}

void CudaDevice::gemmBias(Stream& stream, const Gemm& product, const float* bias)
{
    if (!multiply(product, {bias, nullptr}))
        Device::gemmBias(stream, product, bias);
}

void CudaDevice::gemmBiasGelu(Stream& stream, const Gemm& product, float* y, const float* bias)
{
    Gemm activated = product;
    activated.c = y;
    if (!multiply(activated, {bias, product.c}))
        Device::gemmBiasGelu(stream, product, y, bias);
}

bool CudaDevice::multiply(const Gemm& product, const Products::Epilogue& epilogue)
{
    const auto fits = [](const float* address) {
        return reinterpret_cast<std::uintptr_t>(address) % 16 == 0;
    };
    constexpr std::int64_t unit = 8; // of what the library keeps from before a GELU
    if (product.m == 0 || product.n == 0 || product.k == 0 || !fits(epilogue.bias) ||
        !fits(epilogue.beforeGelu) || (epilogue.beforeGelu && product.n % unit != 0))
        return false;
    if (m_precision == GpuPrecision::Float32)
        return m_products->multiply(compute(), product, Factors::Float32, epilogue);
    const bool turnedA = product.transA == Transpose::Yes;
    const bool turnedB = product.transB == Transpose::Yes;
    const Rounded a = rounded(product.a, turnedA ? product.k : product.m,
                              turnedA ? product.m : product.k, product.lda);
    const Rounded b = rounded(product.b, turnedB ? product.n : product.k,
                              turnedB ? product.k : product.n, product.ldb);
    Gemm ofRounded = product;
    ofRounded.a = a.values.floats();
    ofRounded.lda = a.stride;
    ofRounded.b = b.values.floats();
    ofRounded.ldb = b.stride;
    return m_products->multiply(compute(), ofRounded, Factors::Bfloat16, epilogue);
}

CudaDevice::Rounded CudaDevice::rounded(const float* from, std::int64_t rows, std::int64_t columns,
                                        std::int64_t stride)
{
    constexpr std::int64_t unit = 8; // rows that tensor cores can load
    Rounded factor;
    factor.stride = (columns + unit - 1) / unit * unit;
    factor.values = allocate(static_cast<std::size_t>(rows * factor.stride) * sizeof(std::uint16_t),
                             MemoryUse::Workspace);
    roundToBfloat16(compute(), static_cast<std::uint16_t*>(factor.values.data()), from, rows,
                    columns, factor.stride, stride);
    return factor;
}

void CudaDevice::add(Stream&, float* to, const float* from, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::add(compute(), to, from, count);
}

void CudaDevice::scale(Stream&, float* values, float factor, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::scale(compute(), values, factor, count);
}

void CudaDevice::addBias(Stream&, float* y, const float* bias, std::int64_t rows,
                         std::int64_t width)
{
    TRIAXIS_CUDA_NAMESPACE::addBias(compute(), y, bias, rows, width);
}

void CudaDevice::biasGradient(Stream&, float* dBias, const float* dY, std::int64_t rows,
                              std::int64_t width)
{
    addColumnSums(compute(), dBias, dY, rows, width);
}

void CudaDevice::addResidual(Stream&, float* x, const float* branch, const float* bias,
                             std::int64_t rows, std::int64_t width)
{
    TRIAXIS_CUDA_NAMESPACE::addResidual(compute(), x, branch, bias, rows, width);
}

void CudaDevice::layerNormForward(Stream&, float* y, float* mean, float* rstd, const float* x,
                                  const float* weight, const float* bias, float epsilon,
                                  std::int64_t rows, std::int64_t width)
{
    normForward(compute(), y, mean, rstd, x, weight, bias, epsilon, rows, width);
}

void CudaDevice::layerNormBackward(Stream&, float* dX, float* dWeight, float* dBias,
                                   const float* dY, const float* x, const float* weight,
                                   const float* mean, const float* rstd, std::int64_t rows,
                                   std::int64_t width)
{
    const std::int64_t parts = (rows + normRowsOfBlock - 1) / normRowsOfBlock;
    const Buffer partial = allocateFloats(2 * parts * width, MemoryUse::Workspace);
    float* const ofBias = partial.floats() + parts * width;
    normBackward(compute(), dX, partial.floats(), ofBias, dY, x, weight, mean, rstd, rows, width);
    addColumnSums(compute(), dWeight, partial.floats(), parts, width);
    addColumnSums(compute(), dBias, ofBias, parts, width);
}

void CudaDevice::rmsNormForward(Stream&, float* y, float* rstd, const float* x, const float* weight,
                                float epsilon, std::int64_t rows, std::int64_t width)
{
    normForward(compute(), y, nullptr, rstd, x, weight, nullptr, epsilon, rows, width);
}

void CudaDevice::rmsNormBackward(Stream&, float* dX, float* dWeight, const float* dY,
                                 const float* x, const float* weight, const float* rstd,
                                 std::int64_t rows, std::int64_t width)
{
    const std::int64_t parts = (rows + normRowsOfBlock - 1) / normRowsOfBlock;
    const Buffer partial = allocateFloats(parts * width, MemoryUse::Workspace);
    normBackward(compute(), dX, partial.floats(), nullptr, dY, x, weight, nullptr, rstd, rows,
                 width);
    addColumnSums(compute(), dWeight, partial.floats(), parts, width);
}

void CudaDevice::geluForward(Stream&, float* y, float* x, const float* bias, std::int64_t rows,
                             std::int64_t width)
{
    TRIAXIS_CUDA_NAMESPACE::geluForward(compute(), y, x, bias, rows, width);
}

void CudaDevice::geluBackward(Stream&, float* dX, const float* dY, const float* x,
                              std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::geluBackward(compute(), dX, dY, x, count);
}

void CudaDevice::swigluForward(Stream&, float* y, const float* gate, const float* up,
                               std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::swigluForward(compute(), y, gate, up, count);
}

void CudaDevice::swigluBackward(Stream&, float* dGate, float* dUp, const float* dY,
                                const float* gate, const float* up, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::swigluBackward(compute(), dGate, dUp, dY, gate, up, count);
}

void CudaDevice::rope(Stream&, float* x, std::int64_t stride, std::int64_t rows, std::int64_t time,
                      int heads, int headSize, float theta, bool inverse)
{
    const RotaryTable& table = rotaryTable(time, headSize, theta);
    TRIAXIS_CUDA_NAMESPACE::rope(compute(), x, table.cosines.floats(), table.sines.floats(), stride,
                                 rows, time, heads, headSize, inverse);
}

const CudaDevice::RotaryTable& CudaDevice::rotaryTable(std::int64_t time, int headSize, float theta)
{
    RotaryTable& table = m_rotary[{time, headSize, theta}];
    if (!table.cosines) {
        const std::int64_t size = time * (headSize / 2);
        table.cosines = allocateFloats(size, MemoryUse::Workspace);
        table.sines = allocateFloats(size, MemoryUse::Workspace);
        TRIAXIS_CUDA_NAMESPACE::rotaryTable(compute(), table.cosines.floats(), table.sines.floats(),
                                            time, headSize, theta);
    }
    return table;
}

void CudaDevice::attentionForward(Stream&, const Attention& a, float* out, float* logSumExp)
{
    TRIAXIS_CUDA_NAMESPACE::attentionForward(compute(), a, out, logSumExp);
}

void CudaDevice::attentionBackward(Stream&, const Attention& a, float* dQ, float* dK, float* dV,
                                   const float* dOut, const float* out, const float* logSumExp)
{
    const Buffer dots = allocateFloats(a.batch * a.heads * a.time, MemoryUse::Workspace);
    TRIAXIS_CUDA_NAMESPACE::attentionBackward(compute(), a, dQ, dK, dV, dOut, out, logSumExp,
                                              dots.floats());
}

void CudaDevice::embeddingForward(Stream&, float* y, const std::int32_t* tokens, const float* table,
                                  const float* position, std::int64_t rows, std::int64_t time,
                                  std::int64_t width, std::int64_t firstEntry, std::int64_t entries)
{
    TRIAXIS_CUDA_NAMESPACE::embeddingForward(compute(), y, tokens, table, position, rows, time,
                                             width, firstEntry, entries);
}

void CudaDevice::embeddingBackward(Stream&, float* dTable, float* dPosition, const float* dY,
                                   const std::int32_t* tokens, std::int64_t rows, std::int64_t time,
                                   std::int64_t width, std::int64_t firstEntry,
                                   std::int64_t entries)
{
    TRIAXIS_CUDA_NAMESPACE::embeddingBackward(compute(), dTable, dPosition, dY, tokens, rows, time,
                                              width, firstEntry, entries);
}

void CudaDevice::rowMaximum(Stream&, float* maximum, const float* logits, std::int64_t rows,
                            std::int64_t entries, std::int64_t stride)
{
    TRIAXIS_CUDA_NAMESPACE::rowMaximum(compute(), maximum, logits, rows, entries, stride);
}

void CudaDevice::exponentialSums(Stream&, float* sums, float* logits, const float* maximum,
                                 const std::int32_t* targets, std::int64_t rows,
                                 std::int64_t entries, std::int64_t stride, std::int64_t firstEntry)
{
    TRIAXIS_CUDA_NAMESPACE::exponentialSums(compute(), sums, logits, maximum, targets, rows,
                                            entries, stride, firstEntry);
}

void CudaDevice::addCrossEntropySum(Stream&, double* total, const float* sums, std::int64_t rows)
{
    TRIAXIS_CUDA_NAMESPACE::crossEntropySum(compute(), total, sums, rows);
}

void CudaDevice::crossEntropyGradient(Stream&, float* logits, const float* sums,
                                      const std::int32_t* targets, float factor, std::int64_t rows,
                                      std::int64_t entries, std::int64_t stride,
                                      std::int64_t firstEntry)
{
    TRIAXIS_CUDA_NAMESPACE::crossEntropyGradient(compute(), logits, sums, targets, factor, rows,
                                                 entries, stride, firstEntry);
}

void CudaDevice::addSumOfSquares(Stream&, double* total, const float* x, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::sumOfSquares(compute(), total, partials(), x, count);
}

bool CudaDevice::allFinite(Stream& stream, const float* x, std::int64_t count)
{
    fill(stream, reinterpret_cast<float*>(result()), 0, 2);
    countNotFinite(compute(), result(), partials(), x, count);
    double number = 0;
    copyToHost(stream, &number, result(), sizeof number);
    return number == 0;
}

void CudaDevice::clipFactor(Stream&, float* factor, const double* squaredNorm, double clipNorm)
{
    TRIAXIS_CUDA_NAMESPACE::clipFactor(compute(), factor, squaredNorm, clipNorm);
}

void CudaDevice::adamW(Stream&, float* weight, float* m, float* v, const float* gradient,
                       const AdamW& settings, std::int64_t count)
{
    TRIAXIS_CUDA_NAMESPACE::adamW(compute(), weight, m, v, gradient, settings, count);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
