// One MPI process that takes part in several runs, one after the other, in one world: starting
// mpirun costs more than a tiny run. Usage: mpirun -n N train_ranks RUN_DIRECTORY …  (each laid out
// for N ranks). TRIAXIS_TEST_DEVICE=emulated: on the emulated GPU; TRIAXIS_TEST_TRANSPORT=host or
// nccl. What a step on it asked for is told in the run's folder, but for the last step: see
// CountingWorld.

#include "engine/core/error.h"
#include "engine/record/run_directory.h"
#include "engine/train/train.h"
#include "kernels/gpu.h"
#if defined(TRIAXIS_CUDA_EMULATED)
#include "kernels/cuda/emulation/machine.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
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

#if defined(TRIAXIS_CUDA_EMULATED)

/// Tells for each step that another one follows, in a line of counts-RANK: allocations, and what
/// was put into streams after the host first waited for the device or a message.
class CountingWorld final : public kernels::World
{
public:
    CountingWorld(kernels::World& world, const std::filesystem::path& directory)
        : m_world(world), m_file(directory / ("counts-" + std::to_string(world.rank())))
    {
    }

    int rank() const override { return m_world.rank(); }
    int size() const override { return m_world.size(); }
    std::string library() const override { return m_world.library(); }
    std::unique_ptr<kernels::Communicator>
    makeGroup(const std::vector<std::vector<int>>& groups) override
    {
        return m_world.makeGroup(groups);
    }
    std::unique_ptr<kernels::Communicator> makeGroup(const std::vector<std::vector<int>>& groups,
                                                     kernels::Traffic traffic) override
    {
        return m_world.makeGroup(groups, traffic);
    }
    double now() const override { return m_world.now(); }
    double toWorldClock(double seconds) const override { return m_world.toWorldClock(seconds); }
    Clock synchronizeClocks() override { return m_world.synchronizeClocks(); }
    std::unique_ptr<kernels::Request> moment() override { return m_world.moment(); }
    void tieDeviceClock() override
    {
        emulation::Counts& counts = emulation::machine().counts;
        if (m_steps++ > 0)
            m_file << counts.allocations << ' ' << counts.operations - counts.operationsBeforeWait
                   << std::endl;
        m_world.tieDeviceClock();
        counts = {};
    }
    void progress() override { m_world.progress(); }
    void wait(kernels::Request& request) override
    {
        emulation::machine().counts.wait();
        m_world.wait(request);
    }
    void barrier() override { m_world.barrier(); }
    void broadcast(void* data, std::size_t bytes, int root) override
    {
        m_world.broadcast(data, bytes, root);
    }
    [[noreturn]] void abort(int code) override
    {
        m_world.abort(code);
        std::_Exit(code);
    }

private:
    kernels::World& m_world;
    std::ofstream m_file;
    int m_steps = 0;
};

void takePartOnGpu(const RunDirectory& run, const kernels::GpuRank& gpu, RecordWriter& records,
                   RankStatusWriter& status)
{
    CountingWorld world(*gpu.world, run.path());
    RankContext context{*gpu.device, world, records, status, run.path()};
    trainRank(run.plan(), context);
}

#else

void takePartOnGpu(const RunDirectory&, const kernels::GpuRank&, RecordWriter&, RankStatusWriter&)
{
}

#endif

void takePart(const RunDirectory& run, kernels::World& world)
{
    const Rank rank(world.rank());
    RankStatusWriter status(run.statusFile(rank), int(getpid()));
    RecordWriter records(run.recordFile(rank));
    if (setting("TRIAXIS_TEST_DEVICE") == "emulated") {
        const kernels::GpuRank gpu = gpuRank(world);
        return takePartOnGpu(run, gpu, records, status);
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
