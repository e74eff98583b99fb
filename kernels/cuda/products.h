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
    static std::string libraryName(); ///< "cuBLASLt 13.0.2"

private:
    struct Plan;
    using Alignments = std::array<std::uint32_t, 3>; ///< bytes, of a, b and c
    using Key = std::tuple<Transpose, Transpose, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t, std::int64_t, std::int64_t, bool, Factors, Alignments>;

    Plan& planOf(const Gemm& product, Factors factors);

    cublasLtHandle_t m_handle = nullptr;
    void* m_workspace;
    std::size_t m_workspaceBytes;
    std::map<Key, std::unique_ptr<Plan>> m_plans;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
