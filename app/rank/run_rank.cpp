#include "app/rank/run_rank.h"

#include "app/rank/courier.h"
#include "app/rank/shared_plan.h"
#include "app/rank/threads.h"
#include "engine/core/error.h"
#include "engine/record/process_info.h"
#include "engine/train/train.h"
#include "kernels/error.h"
#include "kernels/gpu.h"

#include <cstdlib>
#include <optional>
#include <unistd.h>

namespace triaxis::rank
{
namespace
{

std::unique_ptr<kernels::Device> makeCpu(const RunPlan& plan, kernels::World& world)
{
    kernels::CpuDeviceOptions options;
    options.threads = threadsOfThisRank(plan.execution.threadsPerRank);
    options.progress = [](void* context) { static_cast<kernels::World*>(context)->progress(); };
    options.progressContext = &world;
    return kernels::makeCpuDevice(options);
}

/// What a rank computes with. The world is that of the hosts, or one for GPUs on top of it.
struct Means
{
    std::unique_ptr<kernels::Device> device;
    std::unique_ptr<kernels::World> gpuWorld; ///< null on the processor
};

kernels::GpuTransport transportOf(const char* name)
{
    const std::string text = name ? name : "";
    if (text == "nccl")
        return kernels::GpuTransport::Nccl;
    if (text == "host")
        return kernels::GpuTransport::Host;
    if (text.empty())
        return kernels::GpuTransport::Automatic;
    throw Error("cannot start the run", "TRIAXIS_GPU_TRANSPORT is \"" + text + "\"",
                "set it to nccl or host, or not at all");
}

Means makeMeans(const RunPlan& plan, kernels::World& world, RecordWriter& records)
{
    if (plan.execution.device == "cpu")
        return {makeCpu(plan, world), nullptr};
    kernels::GpuOptions options;
    options.kind =
        plan.execution.device == "cuda" ? kernels::GpuKind::Cuda : kernels::GpuKind::Emulated;
    options.transport = transportOf(std::getenv("TRIAXIS_GPU_TRANSPORT"));
    options.precision = plan.execution.precision == "bfloat16" ? kernels::GpuPrecision::Bfloat16
                                                               : kernels::GpuPrecision::Float32;
    options.deadlineSeconds = plan.execution.hangSeconds;
    kernels::GpuRank gpu = kernels::makeGpuRank(options, world);
    if (world.rank() == 0)
        records.log(LogLevel::Info, world.now(), gpu.placement);
    return {std::move(gpu.device), std::move(gpu.world)};
}

/// A host of its own has neither the files of the launcher's nor a place for what a run leaves.
void checkFiles(const RunPlan& plan, Rank rank, const std::filesystem::path& directory)
{
    for (const std::string& file : {plan.data.path, plan.weights})
        if (!file.empty() && ::access(file.c_str(), R_OK) != 0)
            throw Error("cannot take part in the run", "host " + hostName() + " has no " + file,
                        "put the file in the same place on every host");
    if (rank == Rank(0) && (plan.execution.saveWeights || plan.execution.saveGradients))
        throw Error("cannot keep the weights of the run",
                    "host " + hostName() + " of rank 0 does not reach " + directory.string(),
                    "name the host of triaxis run first in the hostfile, or share TRIAXIS_HOME");
}

void train(const RunDirectory& run, kernels::World& world, std::FILE* route)
{
    const RunPlan plan = run.plan();
    const Rank rank(world.rank());
    RankStatusWriter status(run.statusFile(rank), int(getpid()));
    std::optional<Courier> courier;
    RecordWriter records(run.recordFile(rank));
    if (route)
        courier.emplace(run, rank, route);
    const Means means = makeMeans(plan, world, records);
    RankContext context{*means.device, means.gpuWorld ? *means.gpuWorld : world, records, status,
                        run.path()};
    trainRank(plan, context);
}

} // namespace

void runRank(const std::filesystem::path& directory, kernels::World& world, std::FILE* out)
{
    const std::string description = sharedDescription(directory, world);
    if (reachesRun(directory))
        return train(RunDirectory::open(directory), world, nullptr);
    const LocalRun local(directory.filename().string(), description);
    const RunDirectory run = local.open();
    checkFiles(run.plan(), Rank(world.rank()), directory);
    train(run, world, out);
}

} // namespace triaxis::rank
