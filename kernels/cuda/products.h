#pragma once

#include "kernels/device.h"

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <array>
#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// What the factors of a product are.
enum class Factors { Float32, Bfloat16 };

/// Matrix products by cuBLASLt with float32 sums and results. The plan of a shape is made when it
/// is first asked for and kept.
class Products
{
public:
    /// `workspace`: of the device, for the library. Throws DeviceError.
    Products(void* workspace, std::size_t workspaceBytes);
    ~Products();
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    /// `factors`: what lies at a and b, whose strides count elements of it.
    void multiply(cudaStream_t stream, const Gemm& product, Factors factors);
    /// What follows a product in the same kernel.
    struct Epilogue
    {
        const float* bias = nullptr; ///< [n], added to each row
        float* beforeGelu = nullptr; ///< [m, n], dense; the result then is its GELU
    };
    /// The same with an epilogue; false, and nothing done, where the library has no algorithm for
    /// it.
    bool multiply(cudaStream_t stream, const Gemm& product, Factors factors,
                  const Epilogue& epilogue);
    static std::string libraryName(); ///< "cuBLASLt 13.0.2"

private:
    struct Plan;
    using Alignments = std::array<std::uint32_t, 5>; ///< bytes, of a, b, c and an epilogue's
    using Key =
        std::tuple<Transpose, Transpose, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                   std::int64_t, std::int64_t, bool, Factors, Alignments, std::uint32_t>;

    Plan& planOf(const Gemm& product, Factors factors, const Epilogue& epilogue);

    cublasLtHandle_t m_handle = nullptr;
    void* m_workspace;
    std::size_t m_workspaceBytes;
    std::map<Key, std::unique_ptr<Plan>> m_plans;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
