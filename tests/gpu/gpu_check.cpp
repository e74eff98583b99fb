// Checks and times the GPU of a machine that has neither Qt nor the test programs.
// gpu_check twins|kernels [--bfloat16] [--emulated]
// mpirun -n N gpu_check golden CASE_FOLDER --layout DTP [--steps N] [--emulated]
// gpu_check step gpt2|gpt2-xl|llama-1b [--steps N] [--emulated]

#include "tests/gpu/gpu_check.h"

#include "tests/kernels/cuda/twins.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>

namespace
{

using namespace triaxis;
using namespace triaxis::gpu_check;

constexpr const char* usage =
    "usage: gpu_check twins|kernels|golden CASE_FOLDER|step MODEL [--layout DTP] [--steps N] "
    "[--bfloat16] [--emulated]\n";

std::optional<Request> parse(int argc, char** argv)
{
    Request request;
    for (int i = 1; i < argc; ++i) {
        const std::string_view word = argv[i];
        const bool hasValue = i + 1 < argc;
        if (word == "--emulated")
            request.kind = kernels::GpuKind::Emulated;
        else if (word == "--bfloat16")
            request.precision = kernels::GpuPrecision::Bfloat16;
        else if (word == "--layout" && hasValue && std::string_view(argv[i + 1]).size() == 3)
            request.layout = argv[++i];
        else if (word == "--steps" && hasValue && std::atoi(argv[i + 1]) > 0)
            request.steps = std::atoi(argv[++i]);
        else if (request.part.empty())
            request.part = word;
        else if (request.what.empty())
            request.what = word;
        else
            return std::nullopt;
    }
    const bool alone = request.part == "twins" || request.part == "kernels";
    const bool ofSomething = request.part == "golden" || request.part == "step";
    if (!(alone && request.what.empty()) && !(ofSomething && !request.what.empty()))
        return std::nullopt;
    return request;
}

kernels::GpuRank gpuOf(const Request& request, kernels::World& world)
{
    kernels::GpuOptions options;
    options.kind = request.kind;
    options.precision = request.precision;
    return kernels::makeGpuRank(options, world);
}

int twins(const Request& request, kernels::World& world)
{
    const kernels::GpuRank gpu = gpuOf(request, world);
    const auto cpu = kernels::makeCpuDevice({});
    int good = 0, bad = 0;
    double worst = 0;
    const bool rounding = request.precision == kernels::GpuPrecision::Bfloat16;
    for (kernels::test::TwinCase& twin :
         rounding ? kernels::test::productTwins() : kernels::test::allTwins()) {
        if (rounding)
            twin.allowed = kernels::test::allowedInBfloat16;
        const kernels::test::TwinResult result = compare(twin, *cpu, *gpu.device);
        worst = result.error > worst ? result.error : worst;
        if (result.good()) {
            ++good;
            continue;
        }
        ++bad;
        std::printf("%s: off by %.2e, allowed %.0e %s\n", result.operation.c_str(), result.error,
                    result.allowed, result.failure.c_str());
    }
    std::printf("%d operations agree, %d do not; the worst is off by %.2e\n", good, bad, worst);
    return bad > 0;
}

int run(const Request& request, kernels::World& world)
{
    if (request.part == "twins")
        return twins(request, world);
    if (request.part == "golden")
        return golden(request, world);
    if (request.part == "step")
        return stepFigures(request, world);
    kernels::GpuRank gpu = gpuOf(request, world);
    return kernelFigures(gpu, request.kind == kernels::GpuKind::Emulated);
}

} // namespace

int main(int argc, char** argv)
{
    const std::optional<Request> request = parse(argc, argv);
    if (!request) {
        std::fputs(usage, stderr);
        return 2;
    }
    const auto world = kernels::makeMpiWorld(&argc, &argv);
    try {
        return run(*request, *world);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "rank %d: %s\n", world->rank(), error.what());
        if (world->size() > 1)
            world->abort(3);
        return 3;
    }
}
