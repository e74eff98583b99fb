// One MPI process that takes part in several runs, one after the other, in one world: starting
// mpirun costs more than a tiny run. Usage: mpirun -n N train_ranks RUN_DIRECTORY …  (each laid out
// for N ranks). TRIAXIS_TEST_DEVICE=emulated: on the emulated GPU; TRIAXIS_TEST_TRANSPORT=host or nccl.

#include "engine/core/error.h"
#include "engine/record/run_directory.h"
#include "engine/train/train.h"
#include "kernels/gpu.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <unistd.h>

namespace
{

using namespace triaxis;

std::string_view setting(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

std::unique_ptr<kernels::Device> cpuDevice(kernels::World& world)
{
    kernels::CpuDeviceOptions options;
    options.progress = [](void* context) { static_cast<kernels::World*>(context)->progress(); };
    options.progressContext = &world;
    return kernels::makeCpuDevice(options);
}

kernels::GpuRank gpuRank(kernels::World& world)
{
    kernels::GpuOptions options;
    options.kind = kernels::GpuKind::Emulated;
    options.transport = setting("TRIAXIS_TEST_TRANSPORT") == "host" ? kernels::GpuTransport::Host
                                                                     : kernels::GpuTransport::Nccl;
    options.deadlineSeconds = 600; // a loaded machine may need a while
    return kernels::makeGpuRank(options, world);
}

void takePart(const RunDirectory& run, kernels::World& world)
{
    const Rank rank(world.rank());
    RankStatusWriter status(run.statusFile(rank), int(getpid()));
    RecordWriter records(run.recordFile(rank));
    if (setting("TRIAXIS_TEST_DEVICE") == "emulated") {
        const kernels::GpuRank gpu = gpuRank(world);
        RankContext context{*gpu.device, *gpu.world, records, status, run.path()};
        return trainRank(run.plan(), context);
    }
    const auto device = cpuDevice(world);
    RankContext context{*device, world, records, status, run.path()};
    trainRank(run.plan(), context);
}

} // namespace

int main(int argc, char** argv)
{
    const auto world = kernels::makeMpiWorld(&argc, &argv);
    for (int i = 1; i < argc; ++i) {
        try {
            takePart(RunDirectory::open(argv[i]), *world);
        } catch (const std::exception& error) {
            std::fprintf(stderr, "rank %d, %s: %s\n", world->rank(), argv[i], error.what());
            world->abort(3);
        }
    }
    return 0;
}
