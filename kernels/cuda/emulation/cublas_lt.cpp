#include "kernels/cuda/emulation/machine.h"

#include <cblas.h>
#include <cublasLt.h>

#include <cstring>

namespace triaxis::emulation
{

struct BlasLibrary
{
};

struct MatrixProduct
{
    cublasOperation_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N;
};

struct MatrixLayout
{
    std::int64_t rows = 0, columns = 0, stride = 0;
};

struct ProductPreference
{
};

namespace
{

/// What is put into the stream: all by value, since the descriptions may go before it runs.
struct Call
{
    MatrixProduct product;
    MatrixLayout a, b, d;
    const float* aData;
    const float* bData;
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
    return strided(a) && strided(b) && strided(d) && rowsOf(a, p.transA) == d.rows &&
           columnsOf(b, p.transB) == d.columns && columnsOf(a, p.transA) == rowsOf(b, p.transB);
}

/// Every column is checked by itself: what lies between them may be anything.
const float* readable(const float* data, const MatrixLayout& m)
{
    const DeviceMemory& memory = machine().memory();
    for (std::int64_t column = 0; column < m.columns; ++column)
        memory.readable(data + column * m.stride, std::size_t(m.rows) * sizeof(float),
                        "cublasLtMatmul reads");
    return memory.view<const float>(reinterpret_cast<std::uintptr_t>(data));
}

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

void multiply(const Call& call)
{
    const float* const a = readable(call.aData, call.a);
    const float* const b = readable(call.bData, call.b);
    if (call.beta != 0)
        readable(call.dData, call.d);
    cblas_sgemm(CblasColMajor, blasOperation(call.product.transA),
                blasOperation(call.product.transB), size(call.d.rows), size(call.d.columns),
                size(columnsOf(call.a, call.product.transA)), call.alpha, a, size(call.a.stride), b,
                size(call.b.stride), call.beta, writable(call.dData, call.d), size(call.d.stride));
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
    if (bytes != sizeof(cublasOperation_t))
        return CUBLAS_STATUS_INVALID_VALUE;
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
        std::memcpy(&product->transA, value, bytes);
        break;
    case CUBLASLT_MATMUL_DESC_TRANSB:
        std::memcpy(&product->transB, value, bytes);
        break;
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType_t,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t stride)
{
    *layout = new MatrixLayout{std::int64_t(rows), std::int64_t(columns), stride};
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

cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t,
                                                    const void*, std::size_t bytes)
{
    return bytes == sizeof(std::uint64_t) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t, int wanted,
                                              cublasLtMatmulHeuristicResult_t* results, int* found)
{
    *found = wanted > 0 && fits(*product, *a, *b, *d) ? 1 : 0;
    if (*found == 0)
        return CUBLAS_STATUS_NOT_SUPPORTED;
    results[0] = {};
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t product, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t aLayout, const void* b,
                              cublasLtMatrixLayout_t bLayout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t dLayout,
                              const cublasLtMatmulAlgo_t*, void*, std::size_t, cudaStream_t stream)
{
    if (c != d || !fits(*product, *aLayout, *bLayout, *dLayout))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (machine().lost())
        return CUBLAS_STATUS_EXECUTION_FAILED;
    const Call call{*product,
                    *aLayout,
                    *bLayout,
                    *dLayout,
                    static_cast<const float*>(a),
                    static_cast<const float*>(b),
                    static_cast<float*>(d),
                    *static_cast<const float*>(alpha),
                    *static_cast<const float*>(beta)};
    machine().queueOf(stream).add(operation([call] { return multiply(call), true; }));
    return CUBLAS_STATUS_SUCCESS;
}
