#include "app/rank/probe.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <vector>

namespace triaxis::rank
{
namespace
{

double now()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double gemmRate(kernels::Device& device)
{
    constexpr std::int64_t n = 1024;
    const auto stream = device.makeStream();
    const kernels::Buffer a = device.allocateFloats(n * n, kernels::MemoryUse::Workspace);
    const kernels::Buffer b = device.allocateFloats(n * n, kernels::MemoryUse::Workspace);
    const kernels::Buffer c = device.allocateFloats(n * n, kernels::MemoryUse::Workspace);
    device.fill(*stream, a.floats(), 1, n * n);
    device.fill(*stream, b.floats(), 1, n * n);
    kernels::Gemm gemm;
    gemm.m = gemm.n = gemm.k = gemm.lda = gemm.ldb = gemm.ldc = n;
    gemm.a = a.floats();
    gemm.b = b.floats();
    gemm.c = c.floats();
    double best = 1e9;
    const double until = now() + 0.5;
    for (int i = 0; i < 3 || now() < until; ++i) {
        const double begin = now();
        device.gemm(*stream, gemm);
        stream->synchronize();
        best = std::min(best, now() - begin);
    }
    return 2.0 * n * n * n / best;
}

/// Seconds of one message of `bytes` from rank 0 to 1 and back, halved; the best of several.
double messageSeconds(kernels::World& world, kernels::Communicator& pair, std::size_t bytes)
{
    std::vector<char> buffer(bytes);
    const int peer = 1 - pair.rank();
    double best = 1e9;
    for (int i = 0; i < 50; ++i) {
        const double begin = now();
        for (int leg = 0; leg < 2; ++leg) {
            const auto request = leg == pair.rank() ? pair.send(buffer.data(), bytes, peer, 1)
                                                    : pair.receive(buffer.data(), bytes, peer, 1);
            world.wait(*request);
        }
        best = std::min(best, (now() - begin) / 2);
    }
    return best;
}

} // namespace

void probe(kernels::World& world, kernels::Device& device, int threads, std::FILE* out)
{
    nlohmann::ordered_json result{{"mpi", world.library()}, {"blas", device.blasName()}, {"threads", threads},
                                  {"gemm_flops_per_second", gemmRate(device)}};
    if (world.size() > 1) {
        const auto pair = world.makeGroup({{0, 1}});
        if (pair) {
            constexpr std::size_t large = 1 << 20;
            result["pair_latency"] = messageSeconds(world, *pair, 8);
            result["pair_bytes_per_second"] = double(large) / messageSeconds(world, *pair, large);
        }
    }
    world.barrier();
    if (world.rank() == 0) {
        std::fprintf(out, "%s\n", result.dump().c_str());
        std::fflush(out);
    }
}

} // namespace triaxis::rank
