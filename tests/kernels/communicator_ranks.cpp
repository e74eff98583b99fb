// Run by the communicator tests, one process a rank: walks through all cases and prints a PASS or
// FAIL line for each.

#include "kernels/error.h"
#include "tests/kernels/communicator_cases.h"

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

using namespace triaxis;
using namespace triaxis::tests;

namespace triaxis::tests
{

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

namespace
{

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

/// Rank 1 expects less than rank 0 sends: it must notice before its memory is overwritten. It ends
/// the run, for rank 0 cannot finish its send.
int longerMessage(kernels::World& world)
{
    auto group = everyone(world);
    const std::vector<char> out(1000000, 1);
    std::vector<char> in(1000000, 2);
    if (world.rank() == 0) {
        auto request = group->send(out.data(), out.size(), 1, 0);
        world.wait(*request);
    }
    if (world.rank() == 1) {
        bool refused = false;
        auto request = group->receive(in.data(), 3000, 0, 0);
        try {
            world.wait(*request);
        } catch (const kernels::DeviceError& error) {
            refused = std::string(error.what()).find("1000000 bytes") != std::string::npos;
        }
        const bool untouched = std::count(in.begin(), in.end(), 2) == 1000000;
        std::printf("%s longerMessage\nDONE 1\n", refused && untouched ? "PASS" : "FAIL");
        std::fflush(stdout);
        world.abort(9);
    }
    return 0;
}

/// Members that disagree on the number of elements.
void otherCount(kernels::World& world)
{
    auto group = everyone(world);
    std::vector<float> data(400000);
    const std::int64_t count = world.rank() == 1 ? 300000 : 400000;
    bool refused = false;
    try {
        auto request = group->allReduce(data.data(), count, kernels::Reduction::Sum);
        world.wait(*request);
    } catch (const kernels::DeviceError&) {
        refused = true;
    }
    std::printf("%s otherCount\nDONE 1\n", refused ? "PASS" : "FAIL");
    std::fflush(stdout);
    world.abort(9);
}

int run(kernels::World& world, const std::string& which)
{
    if (which == "abort")
        return abortCase(world);
    if (which == "longerMessage")
        return longerMessage(world);
    if (which == "otherCount")
        otherCount(world);
    int cases = 0;
    bool good = true;
    for (const auto& list : {worldCases(), pointToPointCases(), allReduceCases(), timingCases()})
        for (const Case& one : list)
            if (one.ranks <= world.size() && (which == "all" || which == one.name)) {
                good = runCase(world, one) && good;
                ++cases;
            }
    if (world.rank() == 0)
        std::printf("DONE %d\n", cases);
    return good && cases > 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    const std::string which = argc > 1 ? argv[1] : "all";
    try {
        auto world = kernels::makeMpiWorld(&argc, &argv);
        return run(*world, which);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", which.c_str(), error.what());
        return 1;
    }
}
