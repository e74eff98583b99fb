#pragma once

#include "kernels/device.h"

#include <cublasLt.h>
#include <cuda_runtime.h>

#include <map>
#include <memory>
#include <string>
#include <tuple>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Matrix products by cuBLASLt: float32 with float32 sums. The plan of a shape is made when it is
/// first asked for and kept.
class Products
{
public:
    /// `workspace`: of the device, for the library. Throws DeviceError.
    Products(void* workspace, std::size_t workspaceBytes);
    ~Products();
    Products(const Products&) = delete;
    Products& operator=(const Products&) = delete;

    void multiply(cudaStream_t stream, const Gemm& product);
    static std::string libraryName(); ///< "cuBLASLt 13.0.2"

private:
    struct Plan;
    using Key = std::tuple<Transpose, Transpose, std::int64_t, std::int64_t, std::int64_t,
                           std::int64_t, std::int64_t, std::int64_t, bool>;

    Plan& planOf(const Gemm& product);

    cublasLtHandle_t m_handle = nullptr;
    void* m_workspace;
    std::size_t m_workspaceBytes;
    std::map<Key, std::unique_ptr<Plan>> m_plans;
};

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
