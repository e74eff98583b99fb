// Run by the communicator tests, one process a rank: walks through all cases and prints a PASS or
// FAIL line for each.

#include "tests/kernels/communicator_cases.h"

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

using namespace triaxis;
using namespace triaxis::tests;

namespace triaxis::tests {

std::unique_ptr<kernels::Communicator> everyone(kernels::World& world)
{
    std::vector<int> ranks;
    for (int rank = 0; rank < world.size(); ++rank)
        ranks.push_back(rank);
    return world.makeGroup({ranks});
}

unsigned char patternByte(int sender, int message, std::size_t index)
{
    const std::uint64_t key = index * 0x9E3779B97F4A7C15u +
                              static_cast<std::uint64_t>(sender) * 0x100000001B3u +
                              static_cast<std::uint64_t>(message) * 0xC2B2AE3D27D4EB4Fu;
    return static_cast<unsigned char>((key ^ (key >> 29)) >> 11);
}

std::vector<unsigned char> pattern(int sender, int message, std::size_t bytes)
{
    std::vector<unsigned char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i)
        data[i] = patternByte(sender, message, i);
    return data;
}

void sleepSeconds(double seconds)
{
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

} // namespace triaxis::tests

namespace {

bool runCase(kernels::World& world, const Case& which)
{
    Findings findings;
    try {
        which.run(world, findings);
    } catch (const std::exception& error) {
        findings.expect(false, std::string("exception: ") + error.what());
    }
    for (const std::string& failure : findings.failures())
        std::fprintf(stderr, "rank %d: %s: %s\n", world.rank(), which.name, failure.c_str());
    int failed = findings.failures().empty() ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world.rank() == 0) {
        std::printf("%s %s\n", failed == 0 ? "PASS" : "FAIL", which.name);
        std::fflush(stdout);
    }
    return failed == 0;
}

/// Rank 1 gives up while the others wait for a message that never comes.
int abortCase(kernels::World& world)
{
    auto group = everyone(world);
    char data = 0;
    if (world.rank() == 1)
        world.abort(7);
    auto request = group->receive(&data, 1, (world.rank() + 1) % world.size(), 0);
    world.wait(*request);
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string which = argc > 1 ? argv[1] : "all";
    auto world = kernels::makeMpiWorld(&argc, &argv);
    if (which == "abort")
        return abortCase(*world);
    int cases = 0;
    bool good = true;
    for (const auto& list : {worldCases(), pointToPointCases(), allReduceCases(), timingCases()})
        for (const Case& one : list)
            if (one.ranks <= world->size() && (which == "all" || which == one.name)) {
                good = runCase(*world, one) && good;
                ++cases;
            }
    if (world->rank() == 0)
        std::printf("DONE %d\n", cases);
    return good && cases > 0 ? 0 : 1;
}
