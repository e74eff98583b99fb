#include "kernels/cpu/mpi_clock.h"
#include "kernels/cpu/mpi_shared_segment.h"
#include "kernels/error.h"
#include "tests/kernels/communicator_cases.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>

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

/// Ranks whose clocks are seconds apart and run at different speeds, as on different hosts. Rank
/// 0's is the steady clock.
void findsOffsetAndDriftOfForeignClocks(World& world, Findings& findings)
{
    const double speed = 1 + 2e-3 * world.rank();
    double origin = kernels::mpi::steadySeconds();
    world.broadcast(&origin, sizeof origin, 0);
    const auto foreignAt = [=, rank = world.rank()](double steady) {
        return origin + (steady - origin) * speed - 3.25 * rank;
    };
    kernels::mpi::WorldClock clock;
    const World::Clock first = clock.start(
        MPI_COMM_WORLD, kernels::mpi::WaitPolicy::ofThisHost(MPI_COMM_WORLD),
        [=] { return foreignAt(kernels::mpi::steadySeconds()); }, false);
    sleepSeconds(0.3);
    const World::Clock last = clock.synchronize();

    const double steady = kernels::mpi::steadySeconds();
    double epoch = steady - clock.fromLocal(steady);
    world.broadcast(&epoch, sizeof epoch, 0);
    const auto check = [&](const World::Clock& found, const std::string& which) {
        const double moment = epoch + found.at;
        const double off = std::abs(found.offset - (moment - foreignAt(moment)));
        findings.expect(off <= found.error * 1.1 + 1e-6,
                        which + " offset is off by " + std::to_string(off) +
                            " s with a stated error of " + std::to_string(found.error) + " s");
    };
    check(first, "first");
    check(last, "last");
    const double trueDrift = 1 / speed - 1;
    const double allowed = (first.error + last.error) / (last.at - first.at) * 1.1 + 1e-5;
    findings.expect(std::abs(last.drift - trueDrift) <= allowed ||
                        (last.drift == 0 && std::abs(trueDrift) <= 2 * allowed),
                    "drift " + std::to_string(last.drift) + " instead of " +
                        std::to_string(trueDrift) + " ± " + std::to_string(allowed));
    if (world.rank() == 0)
        findings.expect(last.offset == 0 && last.drift == 0, "rank 0 differs from itself");
    else
        findings.expect(last.error > 0 && last.error < 1,
                        "error of " + std::to_string(last.error) + " s");
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

/// A launcher says where, and finds there what a kill has left.
void sharedMemoryIsMadeInItsFolder(World& world, Findings& findings)
{
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "triaxis-test-XXXXXX").string();
    const bool own = world.rank() == 0;
    if (own)
        findings.expect(mkdtemp(folder.data()) != nullptr, "no folder " + folder);
    const char* before = std::getenv("TRIAXIS_SHARED_FOLDER");
    const std::string kept = before ? before : "";
    setenv("TRIAXIS_SHARED_FOLDER", folder.c_str(), 1);
    const auto there = kernels::mpi::SharedSegment::make(MPI_COMM_WORLD, 4096, true);
    setenv("TRIAXIS_SHARED_FOLDER", (folder + "/none").c_str(), 1);
    const auto nowhere = kernels::mpi::SharedSegment::make(MPI_COMM_WORLD, 4096, true);
    if (before)
        setenv("TRIAXIS_SHARED_FOLDER", kept.c_str(), 1);
    else
        unsetenv("TRIAXIS_SHARED_FOLDER");
    findings.expect(there != nullptr, "no shared memory in the folder");
    findings.expect(nowhere == nullptr, "shared memory outside its folder");
    if (own)
        findings.expect(fs::is_empty(folder) && fs::remove(folder), "the file kept its name");
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
            {"sharedMemoryIsMadeInItsFolder", 1, sharedMemoryIsMadeInItsFolder},
            {"startsOnlyOnce", 1, startsOnlyOnce}};
}

} // namespace triaxis::tests
