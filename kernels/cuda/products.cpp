#include "kernels/cuda/products.h"

#include "kernels/cuda/kernels.h"
#include "kernels/error.h"

#include <utility>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

void check(cublasStatus_t status, const char* what)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw DeviceError(std::string("cuBLASLt failed while ") + what + ": " +
                          cublasLtGetStatusString(status));
}

/// The library counts columns first. What it sees of a row-major matrix is the transposed one, and
/// C = A·B row by row is Cᵀ = Bᵀ·Aᵀ column by column: the factors change places.
cublasLtMatrixLayout_t layoutOf(cudaDataType_t type, Transpose transpose, std::int64_t rows,
                                std::int64_t columns, std::int64_t stride)
{
    const bool turned = transpose == Transpose::Yes;
    cublasLtMatrixLayout_t layout = nullptr;
    check(cublasLtMatrixLayoutCreate(&layout, type,
                                     static_cast<std::uint64_t>(turned ? rows : columns),
                                     static_cast<std::uint64_t>(turned ? columns : rows), stride),
          "describing a matrix");
    return layout;
}

cublasOperation_t operationOf(Transpose transpose)
{
    return transpose == Transpose::Yes ? CUBLAS_OP_T : CUBLAS_OP_N;
}

/// The library may assume no more than this of an address.
std::uint32_t alignmentOf(const void* address)
{
    constexpr std::uintptr_t most = 256;
    const auto number = reinterpret_cast<std::uintptr_t>(address) | most;
    return static_cast<std::uint32_t>(number & (~number + 1));
}

/// What of it is null is not used.
cublasLtEpilogue_t kindOf(const float* bias, const float* beforeGelu)
{
    if (beforeGelu)
        return bias ? CUBLASLT_EPILOGUE_GELU_AUX_BIAS : CUBLASLT_EPILOGUE_GELU_AUX;
    return bias ? CUBLASLT_EPILOGUE_BIAS : CUBLASLT_EPILOGUE_DEFAULT;
}

} // namespace

struct Products::Plan
{
    cublasLtMatmulDesc_t operation = nullptr;
    cublasLtMatrixLayout_t a = nullptr, b = nullptr, c = nullptr;
    cublasLtMatmulHeuristicResult_t choice{};
    bool usable = false;

    Plan() = default;
    Plan(const Plan&) = delete;
    Plan& operator=(const Plan&) = delete;
    ~Plan()
    {
        for (cublasLtMatrixLayout_t layout : {a, b, c})
            if (layout)
                cublasLtMatrixLayoutDestroy(layout);
        if (operation)
            cublasLtMatmulDescDestroy(operation);
    }

    void describe(const Gemm& g, Factors factors);
    void set(const Epilogue& epilogue, std::int64_t stride);
    void choose(cublasLtHandle_t handle, std::size_t workspaceBytes, const Alignments& alignments);
};

void Products::Plan::describe(const Gemm& g, Factors factors)
{
    const cudaDataType_t type = factors == Factors::Float32 ? CUDA_R_32F : CUDA_R_16BF;
    check(cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F),
          "describing a product");
    const cublasOperation_t first = operationOf(g.transB), second = operationOf(g.transA);
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSA, &first,
                                         sizeof first),
          "describing a product");
    check(cublasLtMatmulDescSetAttribute(operation, CUBLASLT_MATMUL_DESC_TRANSB, &second,
                                         sizeof second),
          "describing a product");
    a = layoutOf(type, g.transB, g.k, g.n, g.ldb);
    b = layoutOf(type, g.transA, g.m, g.k, g.lda);
    c = layoutOf(CUDA_R_32F, Transpose::No, g.m, g.n, g.ldc);
}

void Products::Plan::set(const Epilogue& epilogue, std::int64_t stride)
{
    const cublasLtEpilogue_t kind = kindOf(epilogue.bias, epilogue.beforeGelu);
    const auto give = [&](cublasLtMatmulDescAttributes_t attribute, const auto& value) {
        check(cublasLtMatmulDescSetAttribute(operation, attribute, &value, sizeof value),
              "describing what follows a product");
    };
    give(CUBLASLT_MATMUL_DESC_EPILOGUE, kind);
    if (epilogue.bias)
        give(CUBLASLT_MATMUL_DESC_BIAS_POINTER, epilogue.bias);
    if (epilogue.beforeGelu) {
        give(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, epilogue.beforeGelu);
        give(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, stride);
    }
}

void Products::Plan::choose(cublasLtHandle_t handle, std::size_t workspaceBytes,
                            const Alignments& alignments)
{
    cublasLtMatmulPreference_t preference = nullptr;
    check(cublasLtMatmulPreferenceCreate(&preference), "choosing an algorithm");
    const std::uint64_t most = workspaceBytes;
    int found = 0;
    cublasStatus_t status = cublasLtMatmulPreferenceSetAttribute(
        preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &most, sizeof most);
    // What the library calls A is our b; D is C.
    const std::pair<cublasLtMatmulPreferenceAttributes_t, std::uint32_t> assumed[] = {
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments[1]},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments[0]},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments[2]},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments[2]}};
    for (const auto& [attribute, bytes] : assumed)
        if (status == CUBLAS_STATUS_SUCCESS)
            status =
                cublasLtMatmulPreferenceSetAttribute(preference, attribute, &bytes, sizeof bytes);
    if (status == CUBLAS_STATUS_SUCCESS)
        status = cublasLtMatmulAlgoGetHeuristic(handle, operation, a, b, c, c, preference, 1,
                                                &choice, &found);
    cublasLtMatmulPreferenceDestroy(preference);
    if (status != CUBLAS_STATUS_NOT_SUPPORTED)
        check(status, "choosing an algorithm");
    usable = status == CUBLAS_STATUS_SUCCESS && found > 0;
}

Products::Products(void* workspace, std::size_t workspaceBytes)
    : m_workspace(workspace), m_workspaceBytes(workspaceBytes)
{
    check(cublasLtCreate(&m_handle), "starting");
}

Products::~Products()
{
    m_plans.clear();
    cublasLtDestroy(m_handle);
}

Products::Plan& Products::planOf(const Gemm& g, Factors factors, const Epilogue& epilogue)
{
    const Alignments alignments{alignmentOf(g.a), alignmentOf(g.b), alignmentOf(g.c),
                                alignmentOf(epilogue.bias), alignmentOf(epilogue.beforeGelu)};
    const auto kind = static_cast<std::uint32_t>(kindOf(epilogue.bias, epilogue.beforeGelu));
    const Key key(g.transA, g.transB, g.m, g.n, g.k, g.lda, g.ldb, g.ldc, g.beta != 0, factors,
                  alignments, kind);
    std::unique_ptr<Plan>& plan = m_plans[key];
    if (!plan) {
        auto made = std::make_unique<Plan>();
        made->describe(g, factors);
        made->set(epilogue, g.ldc);
        made->choose(m_handle, m_workspaceBytes, alignments);
        plan = std::move(made);
    }
    return *plan;
}

void Products::multiply(cudaStream_t stream, const Gemm& g, Factors factors)
{
    if (g.m == 0 || g.n == 0)
        return;
    if (g.k == 0) { // an empty sum, which the library refuses
        for (std::int64_t row = 0; row < g.m; ++row)
            if (g.beta == 0)
                fill(stream, g.c + row * g.ldc, 0, g.n);
            else if (g.beta != 1)
                scale(stream, g.c + row * g.ldc, g.beta, g.n);
        return;
    }
    if (!multiply(stream, g, factors, {}))
        throw DeviceError("cuBLASLt knows no algorithm for a product of these sizes");
}

bool Products::multiply(cudaStream_t stream, const Gemm& g, Factors factors,
                        const Epilogue& epilogue)
{
    Plan& plan = planOf(g, factors, epilogue);
    if (!plan.usable)
        return false;
    plan.set(epilogue, g.ldc);
    check(cublasLtMatmul(m_handle, plan.operation, &g.alpha, g.b, plan.a, g.a, plan.b, &g.beta, g.c,
                         plan.c, g.c, plan.c, &plan.choice.algo, m_workspace, m_workspaceBytes,
                         stream),
          "multiplying");
    return true;
}

std::string Products::libraryName()
{
    const std::size_t version = cublasLtGetVersion(); // 130002: 13.0.2, as from 11 on
    const std::size_t major = version / 10000, minor = version / 100 % 100, patch = version % 100;
    return "cuBLASLt " + std::to_string(major) + '.' + std::to_string(minor) + '.' +
           std::to_string(patch);
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
