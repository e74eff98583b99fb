#include "kernels/cpu/mpi_clock.h"
#include "kernels/error.h"
#include "tests/kernels/communicator_cases.h"

#include <cmath>

namespace triaxis::tests
{

namespace
{

using kernels::World;

void tellsItsLibrary(World& world, Findings& findings)
{
    const std::string library = world.library();
    findings.expect(library.find_first_of("0123456789") != std::string::npos,
                    "no version in '" + library + "'");
    findings.expect(library.find('\n') == std::string::npos,
                    "more than one line in '" + library + "'");
}

void broadcastsFromAnyRank(World& world, Findings& findings)
{
    for (int root = 0; root < world.size(); ++root)
        for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{1000003}}) {
            auto data = pattern(world.rank() == root ? root : 99, 2, bytes);
            world.broadcast(data.data(), bytes, root);
            findings.expect(data == pattern(root, 2, bytes),
                            std::to_string(bytes) + " bytes of rank " + std::to_string(root));
        }
    world.barrier();
}

void barrierHoldsUntilTheLastRankComes(World& world, Findings& findings)
{
    const int last = world.size() - 1;
    if (world.rank() == last)
        sleepSeconds(0.05);
    double arrival = world.now();
    world.barrier();
    const double left = world.now();
    world.broadcast(&arrival, sizeof arrival, last);
    findings.expect(left >= arrival - 1e-3, "left the barrier before the last rank came");
}

void oneClockForAll(World& world, Findings& findings)
{
    const World::Clock clock = world.synchronizeClocks();
    findings.expect(clock.error >= 0 && clock.error < 0.1, "error " + std::to_string(clock.error));
    for (int root = 0; root < world.size(); ++root) {
        double sent = world.now();
        world.broadcast(&sent, sizeof sent, root);
        const double received = world.now();
        findings.expect(received >= sent - 2 * clock.error - 1e-5,
                        "a message arrived before it was sent by rank " + std::to_string(root));
    }
    const double before = world.now();
    const double same = world.toWorldClock(kernels::mpi::steadySeconds());
    const double after = world.now();
    findings.expect(before <= same && same <= after, "toWorldClock() and now() disagree");
    findings.expect(before >= 0 && before < 3600, "the world did not begin at 0");
}

/// Ranks whose clocks are seconds apart and run at different speeds, as on different hosts.
void findsOffsetAndDriftOfForeignClocks(World& world, Findings& findings)
{
    const double trueOffset = 3.25 * world.rank();
    const double speed = 1 + 2e-3 * world.rank();
    const double origin = kernels::mpi::steadySeconds();
    double sharedOrigin = origin;
    world.broadcast(&sharedOrigin, sizeof sharedOrigin, 0);
    const auto foreign = [=] {
        return sharedOrigin + (kernels::mpi::steadySeconds() - sharedOrigin) * speed - trueOffset;
    };
    kernels::mpi::WorldClock clock;
    clock.start(MPI_COMM_WORLD, foreign, false);
    sleepSeconds(0.3);
    const World::Clock found = clock.synchronize();
    const auto deviation = [&] {
        const double steady = kernels::mpi::steadySeconds();
        double epoch = clock.fromLocal(foreign()) - (steady - sharedOrigin);
        const double own = epoch;
        world.broadcast(&epoch, sizeof epoch, 0);
        return std::abs(own - epoch);
    };
    findings.expect(found.error < 0.05, "error of " + std::to_string(found.error) + " s");
    findings.expect(deviation() <= found.error + 1e-4, "off by " + std::to_string(deviation()) +
                                                           " s with a stated error of " +
                                                           std::to_string(found.error) + " s");
    if (world.rank() == 0) {
        findings.expectEqual(found.offset, 0.0, "offset of rank 0");
        findings.expectEqual(found.drift, 0.0, "drift of rank 0");
    } else {
        const double trueDrift = 1 / speed - 1;
        findings.expect(std::abs(found.drift - trueDrift) <= 2 * found.error / 0.3 + 1e-3,
                        "drift " + std::to_string(found.drift) + " instead of " +
                            std::to_string(trueDrift));
    }
}

void refusesGroupsThatAreNone(World& world, Findings& findings)
{
    const std::vector<std::vector<std::vector<int>>> wrong{
        {{0, world.size()}}, {{-1}}, {{0}, {0}}, {{0, 0}}};
    for (const auto& groups : wrong)
        try {
            world.makeGroup(groups);
            findings.expect(false, "impossible groups were accepted");
        } catch (const kernels::DeviceError&) {
        }
    findings.expect(world.makeGroup({}) == nullptr, "a group without members");
}

void startsOnlyOnce(World&, Findings& findings)
{
    try {
        kernels::makeMpiWorld(nullptr, nullptr);
        findings.expect(false, "a second world was made");
    } catch (const kernels::DeviceError&) {
    }
}

} // namespace

std::vector<Case> worldCases()
{
    return {{"tellsItsLibrary", 1, tellsItsLibrary},
            {"broadcastsFromAnyRank", 1, broadcastsFromAnyRank},
            {"barrierHoldsUntilTheLastRankComes", 1, barrierHoldsUntilTheLastRankComes},
            {"oneClockForAll", 1, oneClockForAll},
            {"findsOffsetAndDriftOfForeignClocks", 1, findsOffsetAndDriftOfForeignClocks},
            {"refusesGroupsThatAreNone", 1, refusesGroupsThatAreNone},
            {"startsOnlyOnce", 1, startsOnlyOnce}};
}

} // namespace triaxis::tests
