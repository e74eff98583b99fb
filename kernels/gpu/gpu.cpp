#include "kernels/gpu.h"

#include "kernels/error.h"
#include "kernels/gpu/backend.h"
#include "kernels/gpu/nvml.h"

#include <dlfcn.h>

#include <filesystem>
#include <optional>
#include <string>

namespace triaxis::kernels
{

#if defined(TRIAXIS_HAS_EMULATED_CUDA)
namespace emulated_cuda
{
GpuBackend backend();
}
#endif

namespace
{

/// A backend, or why there is none.
struct Found
{
    std::optional<GpuBackend> backend;
    std::string problem;
};

#if defined(TRIAXIS_HAS_CUDA)

/// Beside the program in a build tree, else where it was installed. It stays until the process
/// ends.
Found loadModule()
{
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
    fs::path module = folder / "triaxis-cuda.so";
    // A program of the tests lies in another folder of the same build.
    for (const fs::path& other :
         {folder / ".." / "bin" / "triaxis-cuda.so", folder / TRIAXIS_CUDA_INSTALLED})
        if (!fs::exists(module, error))
            module = other;
    void* const library = dlopen(module.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const entry = library ? dlsym(library, gpuBackendSymbol) : nullptr;
    if (!entry)
        return {std::nullopt, dlerror()};
    return {*reinterpret_cast<const GpuBackend* (*)()>(entry)(), {}};
}

#endif

Found find(GpuKind kind)
{
    switch (kind) {
    case GpuKind::Cuda:
#if defined(TRIAXIS_HAS_CUDA)
        return loadModule();
#else
        return {std::nullopt, "this build has no CUDA"};
#endif
    case GpuKind::Emulated:
#if defined(TRIAXIS_HAS_EMULATED_CUDA)
        return {emulated_cuda::backend(), {}};
#else
        return {std::nullopt, "this build has no emulated GPU"};
#endif
    }
    return {};
}

} // namespace

GpuSurvey surveyGpus(GpuKind kind)
{
    const Found found = find(kind);
    GpuSurvey survey;
    if (!found.backend) {
        survey.problem = found.problem;
        return survey;
    }
    survey = found.backend->survey();
    if (kind == GpuKind::Cuda)
        addManagementFacts(survey);
    return survey;
}

GpuRank makeGpuRank(const GpuOptions& options, World& hosts)
{
    const Found found = find(options.kind);
    if (!found.backend)
        throw DeviceError("cannot compute on a GPU: " + found.problem);
    return found.backend->makeRank(options, hosts);
}

} // namespace triaxis::kernels
