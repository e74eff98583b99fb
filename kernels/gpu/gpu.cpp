#include "kernels/gpu.h"

#include "kernels/error.h"

// What this build has of the backends, each in its own namespace.
namespace triaxis::kernels
{

#if defined(TRIAXIS_HAS_CUDA)
namespace cuda
{
GpuSurvey survey();
GpuRank makeRank(const GpuOptions& options, World& hosts);
} // namespace cuda
#endif
#if defined(TRIAXIS_HAS_EMULATED_CUDA)
namespace emulated_cuda
{
GpuSurvey survey();
GpuRank makeRank(const GpuOptions& options, World& hosts);
} // namespace emulated_cuda
#endif

namespace
{

struct Backend
{
    GpuSurvey (*survey)();
    GpuRank (*makeRank)(const GpuOptions&, World&);
};

Backend backendOf(GpuKind kind)
{
    switch (kind) {
    case GpuKind::Cuda:
#if defined(TRIAXIS_HAS_CUDA)
        return {cuda::survey, cuda::makeRank};
#else
        break;
#endif
    case GpuKind::Emulated:
#if defined(TRIAXIS_HAS_EMULATED_CUDA)
        return {emulated_cuda::survey, emulated_cuda::makeRank};
#else
        break;
#endif
    }
    return {nullptr, nullptr};
}

std::string missing(GpuKind kind)
{
    return kind == GpuKind::Cuda ? "this build has no CUDA" : "this build has no emulated GPU";
}

} // namespace

bool builtWithGpus(GpuKind kind)
{
    return backendOf(kind).survey != nullptr;
}

GpuSurvey surveyGpus(GpuKind kind)
{
    const Backend backend = backendOf(kind);
    return backend.survey ? backend.survey() : GpuSurvey{{}, missing(kind)};
}

GpuRank makeGpuRank(const GpuOptions& options, World& hosts)
{
    const Backend backend = backendOf(options.kind);
    if (!backend.makeRank)
        throw DeviceError("cannot compute on a GPU: " + missing(options.kind));
    return backend.makeRank(options, hosts);
}

} // namespace triaxis::kernels
