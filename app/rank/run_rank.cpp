#include "app/rank/run_rank.h"

#include "app/rank/threads.h"
#include "engine/core/error.h"
#include "engine/train/train.h"
#include "kernels/error.h"

#include <unistd.h>

namespace triaxis::rank
{
namespace
{

std::unique_ptr<kernels::Device> makeDevice(const RunPlan& plan, kernels::World& world)
{
    kernels::CpuDeviceOptions options;
    options.threads = threadsOfThisRank(plan.execution.threadsPerRank);
    options.progress = [](void* context) { static_cast<kernels::World*>(context)->progress(); };
    options.progressContext = &world;
    return kernels::makeCpuDevice(options);
}

} // namespace

void runRank(const RunDirectory& run, kernels::World& world)
{
    const RunPlan plan = run.plan();
    const Rank rank(world.rank());
    RankStatusWriter status(run.statusFile(rank), int(getpid()));
    RecordWriter records(run.recordFile(rank));
    const auto device = makeDevice(plan, world);
    RankContext context{*device, world, records, status, run.path()};
    trainRank(plan, context);
}

} // namespace triaxis::rank
