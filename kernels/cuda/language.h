#pragma once

// What kernels are written in: CUDA, but for pointers, which carry their bounds where the device is
// emulated, and for the one way to launch. With nvcc all of it vanishes.
//
// Global<T>             a pointer of a kernel into device memory
// SharedArray<T, n>     shared memory of a fixed size:  __shared__ SharedArray<float, 32> sums;
// Shared<T>             dynamic shared memory:          const auto tile =
// dynamicShared<float>(offset, n); launch<kernel>(grid, block, sharedBytes, stream, arguments …)
//
// An element is read into a variable of its own type (`const float x = p[i]`), never `auto`. Shared
// memory is exchanged between threads through __syncthreads(), also within a warp.

#include "kernels/error.h"

#include <cuda_runtime.h>

#include <string>
#include <string_view>

#if defined(TRIAXIS_CUDA_EMULATED)
#include "kernels/cuda/emulation/checked.h"
#include <tuple>
#include <utility>
#endif

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

/// Throws DeviceError for anything but success. `what`: "allocating memory".
inline void check(cudaError_t result, const char* what)
{
    if (result != cudaSuccess)
        throw DeviceError(std::string("the GPU failed while ") + what + ": " +
                          cudaGetErrorString(result));
}

/// "attentionForward" for attentionForwardKernel.
template <auto kernel>
std::string kernelName()
{
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find("kernel = ") + 9);
    text = text.substr(0, text.find_first_of("<;]"));
    text.remove_prefix(text.rfind(':') + 1);
    return std::string(text);
}

#if defined(TRIAXIS_CUDA_EMULATED)

using emulation::dynamicShared;
using emulation::Global;
using emulation::Shared;
using emulation::SharedArray;

template <auto kernel>
struct Launch;

template <class... Parameters, void (*kernel)(Parameters...)>
struct Launch<kernel>
{
    static cudaError_t run(dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
                           Parameters... arguments)
    {
        static const std::string name = kernelName<kernel>();
        return emulation::enqueueKernel(
            name.c_str(), grid, block, sharedBytes, stream,
            [given = std::tuple<Parameters...>(arguments...)] { std::apply(kernel, given); });
    }
};

#else

template <class T>
using Global = T*;
template <class T>
using Shared = T*;

template <class T, int count>
struct SharedArray
{
    T values[count];
    __device__ __forceinline__ T& operator[](int index) { return values[index]; }
};

#if defined(__CUDACC__)

template <class T>
__device__ __forceinline__ T* dynamicShared(std::size_t offset, std::int64_t)
{
    extern __shared__ double2 triaxisDynamicShared[];
    return reinterpret_cast<T*>(reinterpret_cast<char*>(triaxisDynamicShared) + offset);
}

template <auto kernel>
struct Launch
{
    template <class... Arguments>
    static cudaError_t run(dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
                           Arguments... arguments)
    {
        // More than this must be asked for by name.
        constexpr std::size_t ordinaryShared = std::size_t(48) << 10;
        if (sharedBytes > ordinaryShared)
            if (const cudaError_t result =
                    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(sharedBytes));
                result != cudaSuccess)
                return result;
        kernel<<<grid, block, sharedBytes, stream>>>(arguments...);
        return cudaGetLastError();
    }
};

#endif
#endif

#if defined(__CUDACC__) || defined(TRIAXIS_CUDA_EMULATED)

/// Every kernel is launched here. Throws DeviceError that names it.
template <auto kernel, class... Arguments>
void launch(dim3 grid, dim3 block, std::size_t sharedBytes, cudaStream_t stream,
            Arguments... arguments)
{
    const cudaError_t result = Launch<kernel>::run(grid, block, sharedBytes, stream, arguments...);
    if (result != cudaSuccess)
        throw DeviceError("the GPU failed while launching " + kernelName<kernel>() + ": " +
                          cudaGetErrorString(result));
}

#endif

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
