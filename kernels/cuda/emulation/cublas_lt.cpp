#include "kernels/cuda/emulation/machine.h"

#include <cblas.h>
#include <cublasLt.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <map>
#include <vector>

namespace triaxis::emulation
{

struct BlasLibrary
{
};

struct MatrixProduct
{
    cublasOperation_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
    cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    const float* bias = nullptr;
    float* beforeGelu = nullptr;
    std::int64_t beforeGeluStride = 0;

    bool hasBias() const { return (epilogue & 4u) != 0; }
    bool hasGelu() const { return (epilogue & 32u) != 0; }
};

struct MatrixLayout
{
    std::int64_t rows = 0, columns = 0, stride = 0;
    cudaDataType_t type = CUDA_R_32F;
};

struct ProductPreference
{
    std::map<int, std::uint64_t> bytes; ///< by attribute
};

namespace
{

constexpr std::size_t alignmentCount = 4; ///< of A, B, C and D, that an algorithm was chosen for

/// What is put into the stream: all by value, since the descriptions may go before it runs.
struct Call
{
    MatrixProduct product;
    MatrixLayout a, b, d;
    const void* aData;
    const void* bData;
    float* dData;
    float alpha, beta;
};

std::int64_t rowsOf(const MatrixLayout& layout, cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? layout.rows : layout.columns;
}

std::int64_t columnsOf(const MatrixLayout& layout, cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? layout.columns : layout.rows;
}

bool fits(const MatrixProduct& p, const MatrixLayout& a, const MatrixLayout& b,
          const MatrixLayout& d)
{
    const auto strided = [](const MatrixLayout& m) {
        return m.rows > 0 && m.columns > 0 && m.stride >= m.rows;
    };
    if (p.hasGelu() && (p.beforeGeluStride % 8 != 0 || p.beforeGeluStride < d.rows))
        return false;
    return strided(a) && strided(b) && strided(d) && a.type == b.type && d.type == CUDA_R_32F &&
           rowsOf(a, p.transA) == d.rows && columnsOf(b, p.transB) == d.columns &&
           columnsOf(a, p.transA) == rowsOf(b, p.transB);
}

/// A matrix as float32, with its stride. Every column is checked by itself: what lies between them
/// may be anything.
class Factor
{
public:
    Factor(const void* data, const MatrixLayout& m) : m_stride(m.stride)
    {
        const DeviceMemory& memory = machine().memory();
        const std::size_t size = m.type == CUDA_R_32F ? sizeof(float) : sizeof(std::uint16_t);
        for (std::int64_t column = 0; column < m.columns; ++column)
            memory.readable(static_cast<const char*>(data) + std::size_t(column * m.stride) * size,
                            std::size_t(m.rows) * size, "cublasLtMatmul reads");
        const auto address = reinterpret_cast<std::uintptr_t>(data);
        m_data = memory.view<const float>(address);
        if (m.type == CUDA_R_32F)
            return;
        const auto* const halves = memory.view<const std::uint16_t>(address);
        m_wide.reserve(std::size_t(m.rows * m.columns));
        for (std::int64_t column = 0; column < m.columns; ++column)
            for (std::int64_t row = 0; row < m.rows; ++row)
                m_wide.push_back(
                    std::bit_cast<float>(std::uint32_t(halves[column * m.stride + row]) << 16));
        m_data = m_wide.data();
        m_stride = m.rows;
    }
    const float* data() const { return m_data; }
    std::int64_t stride() const { return m_stride; }

private:
    std::vector<float> m_wide; ///< of bfloat16
    const float* m_data;
    std::int64_t m_stride;
};

float* writable(float* data, const MatrixLayout& m)
{
    DeviceMemory& memory = machine().memory();
    for (std::int64_t column = 0; column < m.columns; ++column)
        memory.writable(data + column * m.stride, std::size_t(m.rows) * sizeof(float),
                        "cublasLtMatmul writes");
    return memory.view<float>(reinterpret_cast<std::uintptr_t>(data));
}

CBLAS_TRANSPOSE blasOperation(cublasOperation_t operation)
{
    return operation == CUBLAS_OP_N ? CblasNoTrans : CblasTrans;
}

blasint size(std::int64_t value)
{
    return static_cast<blasint>(value);
}

/// The bias of each row (of columns first), what was before the GELU, and that.
void follow(const Call& call, float* d)
{
    const MatrixProduct& p = call.product;
    MatrixLayout biasLayout{call.d.rows, 1, call.d.rows}, kept = call.d;
    kept.stride = p.beforeGeluStride;
    const float* const bias = p.hasBias() ? Factor(p.bias, biasLayout).data() : nullptr;
    float* const beforeGelu = p.hasGelu() ? writable(p.beforeGelu, kept) : nullptr;
    for (std::int64_t column = 0; column < call.d.columns; ++column)
        for (std::int64_t row = 0; row < call.d.rows; ++row) {
            float& value = d[column * call.d.stride + row];
            if (bias)
                value += bias[row];
            if (!beforeGelu)
                continue;
            beforeGelu[column * kept.stride + row] = value;
            const float inner = 0.7978845608f * value * (1 + 0.044715f * value * value);
            value /= 1 + std::exp(-2 * inner);
        }
    ++machine().epilogues;
}

void multiply(const Call& call)
{
    const Factor a(call.aData, call.a), b(call.bData, call.b);
    if (call.beta != 0)
        Factor(call.dData, call.d);
    float* const d = writable(call.dData, call.d);
    cblas_sgemm(CblasColMajor, blasOperation(call.product.transA),
                blasOperation(call.product.transB), size(call.d.rows), size(call.d.columns),
                size(columnsOf(call.a, call.product.transA)), call.alpha, a.data(),
                size(a.stride()), b.data(), size(b.stride()), call.beta, d, size(call.d.stride));
    if (call.product.epilogue != CUBLASLT_EPILOGUE_DEFAULT)
        follow(call, d);
}

} // namespace

} // namespace triaxis::emulation

using namespace triaxis::emulation;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle)
{
    openblas_set_num_threads(1); // others would spin between products and take the cores of ranks
    *handle = new BlasLibrary;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    delete handle;
    return CUBLAS_STATUS_SUCCESS;
}

std::size_t cublasLtGetVersion()
{
    return 130000;
}

const char* cublasLtGetStatusString(cublasStatus_t status)
{
    switch (status) {
    case CUBLAS_STATUS_SUCCESS:
        return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_INVALID_VALUE:
        return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_EXECUTION_FAILED:
        return machine().reason().c_str();
    case CUBLAS_STATUS_NOT_SUPPORTED:
        return "CUBLAS_STATUS_NOT_SUPPORTED";
    }
    return "unknown status";
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t,
                                        cudaDataType_t)
{
    *product = new MatrixProduct;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t product)
{
    delete product;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t product,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* value, std::size_t bytes)
{
    const auto take = [&](auto& field) {
        if (bytes != sizeof field)
            return CUBLAS_STATUS_INVALID_VALUE;
        std::memcpy(&field, value, bytes);
        return CUBLAS_STATUS_SUCCESS;
    };
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
        return take(product->transA);
    case CUBLASLT_MATMUL_DESC_TRANSB:
        return take(product->transB);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return take(product->epilogue);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
        return take(product->bias);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
        return take(product->beforeGelu);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
        return take(product->beforeGeluStride);
    }
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t stride)
{
    *layout = new MatrixLayout{std::int64_t(rows), std::int64_t(columns), stride, type};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout)
{
    delete layout;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference)
{
    *preference = new ProductPreference;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference)
{
    delete preference;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* value, std::size_t bytes)
{
    const bool ofWorkspace = attribute == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES;
    if (bytes != (ofWorkspace ? sizeof(std::uint64_t) : sizeof(std::uint32_t)))
        return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&preference->bytes[attribute], value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found)
{
    *found = wanted > 0 && fits(*product, *a, *b, *d) ? 1 : 0;
    if (*found == 0)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    results[0] = {};
    for (std::size_t i = 0; i < alignmentCount; ++i) {
        // As the library does where it is told nothing.
        const auto told =
            preference->bytes.find(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES + int(i));
        results[0].algo.data[i] = told == preference->bytes.end() ? 256 : told->second;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t aLayout, const void* b,
                              cublasLtMatrixLayout_t bLayout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t dLayout,
                              const cublasLtMatmulAlgo_t* algorithm, void*, std::size_t,
                              cudaStream_t stream)
{
    const void* const addresses[] = {a, b, c, d};
    for (std::size_t i = 0; i < alignmentCount; ++i)
        if (reinterpret_cast<std::uintptr_t>(addresses[i]) % algorithm->data[i] != 0)
            return CUBLAS_STATUS_INVALID_VALUE;
    if (c != d || !fits(*product, *aLayout, *bLayout, *dLayout))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (machine().lost())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const Call call{*product,
                    *aLayout,
                    *bLayout,
                    *dLayout,
                    a,
                    b,
                    static_cast<float*>(d),
                    *static_cast<const float*>(alpha),
                    *static_cast<const float*>(beta)};
    machine().queueOf(stream).add(operation([call] { return multiply(call), true; }));
    return CUBLAS_STATUS_SUCCESS;
}
