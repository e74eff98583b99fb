// One MPI process that takes part in several runs, one after the other, in one world: starting
// mpirun costs more than a tiny run. Usage: mpirun -n N train_ranks RUN_DIRECTORY …  (each laid out
// for N ranks)

#include "engine/core/error.h"
#include "engine/record/run_directory.h"
#include "engine/train/train.h"

#include <cstdio>
#include <exception>
#include <unistd.h>

namespace
{

using namespace triaxis;

void takePart(const RunDirectory& run, kernels::World& world)
{
    const Rank rank(world.rank());
    RankStatusWriter status(run.statusFile(rank), int(getpid()));
    RecordWriter records(run.recordFile(rank));
    kernels::CpuDeviceOptions options;
    options.progress = [](void* context) { static_cast<kernels::World*>(context)->progress(); };
    options.progressContext = &world;
    const auto device = kernels::makeCpuDevice(options);
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
