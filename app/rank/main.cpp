#include "app/rank/calibrate.h"
#include "app/rank/devices.h"
#include "app/rank/launcher_watch.h"
#include "app/rank/options.h"
#include "app/rank/probe.h"
#include "app/rank/run_rank.h"
#include "app/rank/shared_plan.h"
#include "app/rank/standard_output.h"
#include "app/rank/threads.h"
#include "engine/core/error.h"
#include "kernels/blas_choice.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <sys/prctl.h>

namespace
{

using namespace triaxis;

/// Exit codes beside 0.
constexpr int cannotStart = 2; ///< wrong arguments, no run directory
constexpr int failed = 3;      ///< the reason is in the record and on standard error

/// What a rank says on standard error before it ends: one line, in one write.
void report(int rankNumber, const char* reason)
{
    const std::string who = rankNumber < 0 ? "triaxis-rank" : "rank " + std::to_string(rankNumber);
    std::fprintf(stderr, "%s: %s\n", who.c_str(), reason);
}

int takePart(const rank::Options& options, std::FILE* out, int argc, char** argv)
{
    rank::checkReach(options.directory);
    // Elsewhere mpirun's own daemon ends the ranks.
    std::optional<rank::LauncherWatch> watch;
    if (rank::reachesRun(options.directory))
        watch.emplace(rank::launcherOf(RunDirectory::open(options.directory)));
    const auto world = kernels::makeMpiWorld(&argc, &argv);
    try {
        rank::runRank(options.directory, *world, out);
    } catch (const std::exception& error) {
        report(world->rank(), error.what());
        world->abort(failed);
    }
    return 0;
}

int probe(std::FILE* out, int argc, char** argv)
{
    const int threads = rank::threadsOfThisRank(0);
    kernels::CpuDeviceOptions options;
    options.threads = threads;
    const auto world = kernels::makeMpiWorld(&argc, &argv);
    const auto device = kernels::makeCpuDevice(options);
    rank::probe(*world, *device, threads, out);
    return 0;
}

int calibrate(const rank::Options& options, std::FILE* out, int argc, char** argv)
{
    const rank::LauncherWatch watch(rank::launcherOf());
    const int threads = rank::threadsOfThisRank(0);
    kernels::CpuDeviceOptions deviceOptions;
    deviceOptions.threads = threads;
    const auto world = kernels::makeMpiWorld(&argc, &argv);
    deviceOptions.progress = [](void* context) { static_cast<kernels::World*>(context)->progress(); };
    deviceOptions.progressContext = world.get();
    const auto device = kernels::makeCpuDevice(deviceOptions);
    try {
        rank::calibrate(*world, *device, threads, options.part, options.quick, options.most,
                        out);
    } catch (const std::exception& error) {
        report(world->rank(), error.what());
        world->abort(failed);
    }
    return 0;
}

int runTask(const rank::Options& options, std::FILE* out, int argc, char** argv)
{
    switch (options.task) {
    case rank::Task::Run:
        return takePart(options, out, argc, argv);
    case rank::Task::Devices:
        rank::printDevices(out);
        return 0;
    case rank::Task::Probe:
        return probe(out, argc, argv);
    case rank::Task::Calibrate:
        return calibrate(options, out, argc, argv);
    }
    return cannotStart;
}

} // namespace

int main(int argc, char** argv)
{
    kernels::chooseBlasKernel(argv);
    prctl(PR_SET_NAME, "triaxis-rank"); // a program that started itself anew is called "exe"
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN); // a file at its limit is an error of the write, with its reason
    std::signal(SIGTERM, SIG_DFL);
    try {
        const auto out = rank::takeStandardOutput();
        return runTask(rank::parseOptions({argv + 1, argv + argc}), out.get(), argc, argv);
    } catch (const std::exception& error) {
        report(-1, error.what());
        return cannotStart;
    }
}
