// Rates of single-precision matrix products: 2048³ and the shapes of one GPT-2 124M step of 4 × 256
// tokens. bench_gemm [threads [seconds per shape]]. A preset OPENBLAS_CORETYPE is put aside unless
// --preset is given.

#include "kernels/blas_choice.h"
#include "kernels/device.h"
#include "tests/bench/bench_timer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <vector>

using namespace triaxis;
using kernels::Transpose;

namespace
{

struct Product
{
    const char* name;
    Transpose transA, transB;
    std::int64_t m, n, k;
    int perStep; ///< how often a step does it
};

constexpr auto no = Transpose::No;
constexpr auto yes = Transpose::Yes;

/// Activations [1024, in] times weights [in, out]; the tied head's weights are [vocabulary, 768].
constexpr Product products[] = {
    {"2048 x 2048 x 2048", no, no, 2048, 2048, 2048, 0},
    {"query, key, value", no, no, 1024, 2304, 768, 12},
    {"  input gradient", no, yes, 1024, 768, 2304, 12},
    {"  weight gradient", yes, no, 768, 2304, 1024, 12},
    {"attention output", no, no, 1024, 768, 768, 12},
    {"  input gradient", no, yes, 1024, 768, 768, 12},
    {"  weight gradient", yes, no, 768, 768, 1024, 12},
    {"MLP up", no, no, 1024, 3072, 768, 12},
    {"  input gradient", no, yes, 1024, 768, 3072, 12},
    {"  weight gradient", yes, no, 768, 3072, 1024, 12},
    {"MLP down", no, no, 1024, 768, 3072, 12},
    {"  input gradient", no, yes, 1024, 3072, 768, 12},
    {"  weight gradient", yes, no, 3072, 768, 1024, 12},
    {"head", no, yes, 1024, 50257, 768, 1},
    {"  input gradient", no, no, 1024, 768, 50257, 1},
    {"  weight gradient", yes, no, 50257, 768, 1024, 1},
};

double seconds(kernels::Device& device, const Product& p, double budget)
{
    const auto stream = device.makeStream();
    kernels::Gemm g;
    g.transA = p.transA;
    g.transB = p.transB;
    g.m = p.m;
    g.n = p.n;
    g.k = p.k;
    g.lda = p.transA == yes ? p.m : p.k;
    g.ldb = p.transB == yes ? p.k : p.n;
    g.ldc = p.n;
    const auto a = device.allocateFloats(p.m * p.k, kernels::MemoryUse::Workspace);
    const auto b = device.allocateFloats(p.k * p.n, kernels::MemoryUse::Workspace);
    const auto c = device.allocateFloats(p.m * p.n, kernels::MemoryUse::Workspace);
    device.fill(*stream, a.floats(), 0.5f, p.m * p.k);
    device.fill(*stream, b.floats(), 0.25f, p.k * p.n);
    g.a = a.floats();
    g.b = b.floats();
    g.c = c.floats();
    return bench::fastest(budget, [&] { device.gemm(*stream, g); });
}

} // namespace

int main(int argc, char** argv)
{
    const bool preset = argc > 1 && std::string(argv[argc - 1]) == "--preset";
    if (!preset && std::getenv("OPENBLAS_CORETYPE") && kernels::detectedBlasKernel().empty()) {
        unsetenv("OPENBLAS_CORETYPE");
        unsetenv("OPENBLAS_L2_SIZE");
        execv("/proc/self/exe", argv);
    }
    kernels::chooseBlasKernel(argv);
    kernels::CpuDeviceOptions options;
    options.threads = argc > 1 && !(preset && argc == 2) ? std::max(1, std::atoi(argv[1])) : 1;
    const double budget = argc > 2 + preset ? std::atof(argv[2]) : 0.5;
    const auto device = kernels::makeCpuDevice(options);
    std::printf("%s; %s\n", device->name().c_str(), device->blasName().c_str());
    double best = 0, stepSeconds = 0, stepFlops = 0;
    for (const Product& p : products) {
        const double time = seconds(*device, p, budget);
        const double flops =
            2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k);
        best = std::max(best, flops / time);
        stepSeconds += p.perStep * time;
        stepFlops += p.perStep * flops;
        std::printf("%-20s %c%c %6lld %6lld %6lld %9.3f ms %7.1f GFLOP/s\n", p.name,
                    p.transA == yes ? 'T' : 'N', p.transB == yes ? 'T' : 'N', (long long)p.m,
                    (long long)p.n, (long long)p.k, time * 1e3, flops / time * 1e-9);
    }
    std::printf("best %.1f GFLOP/s; all products of a step: %.0f ms, %.1f GFLOP/s\n", best * 1e-9,
                stepSeconds * 1e3, stepFlops / stepSeconds * 1e-9);
    return 0;
}
