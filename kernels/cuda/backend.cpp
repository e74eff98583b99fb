#include "kernels/cuda/backend.h"

#include "kernels/cuda/cuda_world.h"
#include "kernels/cuda/language.h"
#include "kernels/cuda/placement.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <thread>
#include <unistd.h>

namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE
{

namespace
{

std::string hostName()
{
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

GpuFacts factsOf(int number)
{
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, number), "reading its properties");
    std::array<char, 32> bus{};
    check(cudaDeviceGetPCIBusId(bus.data(), int(bus.size()), number), "reading its address");
    GpuFacts facts;
    facts.number = number;
    facts.name = properties.name;
    facts.bus = bus.data();
    facts.memoryBytes = std::int64_t(properties.totalGlobalMem);
    facts.major = properties.major;
    facts.minor = properties.minor;
    return facts;
}

#if defined(TRIAXIS_HAS_NCCL)
constexpr bool builtWithNccl = true;
#else
constexpr bool builtWithNccl = false;
#endif

/// `shared`: which ranks share a GPU; empty if none do.
bool takesNccl(GpuTransport transport, const std::string& shared)
{
    switch (transport) {
    case GpuTransport::Automatic:
        return builtWithNccl && shared.empty();
    case GpuTransport::Nccl:
        if (!builtWithNccl)
            throw DeviceError("this build has no NCCL: it was not found when it was configured");
        if (!shared.empty())
            throw DeviceError("NCCL needs a GPU for each rank: " + shared);
        return true;
    case GpuTransport::Host:
        return false;
    }
    return false;
}

GpuSurvey survey()
{
    // Before the first call of CUDA: with the usual 8 queues some streams share one, and what waits
    // in one of them holds back the others, perhaps the message that it waits for.
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 0);
    GpuSurvey found;
    int count = 0;
    if (const cudaError_t result = cudaGetDeviceCount(&count); result != cudaSuccess) {
        cudaGetLastError(); // it would be reported by the next launch
        found.problem = cudaGetErrorString(result);
        return found;
    }
    try {
        for (int number = 0; number < count; ++number)
            found.gpus.push_back(factsOf(number));
    } catch (const DeviceError& error) {
        found = {};
        found.problem = error.what();
    }
    if (found.gpus.empty() && found.problem.empty())
        found.problem = "no GPU was found";
    return found;
}

GpuRank makeRank(const GpuOptions& options, World& hosts)
{
    const std::string host = hostName();
    const int position = positionOnHost(host, hosts);
    const GpuSurvey found = survey();
    if (found.gpus.empty())
        throw DeviceError("host " + host + " has no GPU to compute on: " + found.problem);
    const GpuFacts& own = found.gpus[std::size_t(position) % found.gpus.size()];
    const std::vector<RankPlace> places =
        exchangePlaces({host, own.number, own.bus, own.name}, hosts);
    const std::string shared = sharedGpu(places);
    const bool nccl = takesNccl(options.transport, shared);
    GpuRank rank;
    auto device = std::make_unique<CudaDevice>(own.number, options.precision);
    device->setSharers(ranksOfGpu(places, hosts.rank()));
    const int cores = int(std::thread::hardware_concurrency());
    device->setHostThreads(std::max(1, cores / ranksOfHost(places, hosts.rank())));
    rank.world = std::make_unique<CudaWorld>(hosts, *device, nccl, options.deadlineSeconds);
    rank.device = std::move(device);
    rank.placement = placementTable(places);
    if (!shared.empty())
        rank.placement += shared + ": messages go by way of the host\n";
    return rank;
}

} // namespace

GpuBackend backend()
{
    return {survey, makeRank};
}

} // namespace triaxis::kernels::TRIAXIS_CUDA_NAMESPACE

#if !defined(TRIAXIS_CUDA_EMULATED)
extern "C" __attribute__((visibility("default"))) const triaxis::kernels::GpuBackend*
triaxisGpuBackend()
{
    static const triaxis::kernels::GpuBackend backend = triaxis::kernels::cuda::backend();
    return &backend;
}
#endif
