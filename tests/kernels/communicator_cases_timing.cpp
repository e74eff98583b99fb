#include "tests/kernels/communicator_cases.h"

#include <algorithm>

namespace triaxis::tests
{

namespace
{

using kernels::Reduction;
using kernels::Request;
using kernels::Timing;
using kernels::World;

/// Long enough to be the later one on most machines; the cases hold whoever is.
constexpr double late = 0.05;

void expectOrdered(const Timing& timing, Findings& findings)
{
    findings.expect(timing.ready <= timing.begin && timing.begin <= timing.end,
                    "ready " + std::to_string(timing.ready) + ", begin " +
                        std::to_string(timing.begin) + ", end " + std::to_string(timing.end));
}

/// Rank 0 sends to rank 1, one of them late. The transfer begins for the receiver when both are
/// ready.
void exchangeWithOneLate(World& world, int lateRank, std::size_t bytes, Findings& findings)
{
    auto group = everyone(world);
    std::vector<char> data(bytes);
    world.barrier();
    if (group->rank() == lateRank)
        sleepSeconds(late);
    const double before = world.now();
    Timing timing;
    if (group->rank() < 2) {
        auto request = group->rank() == 0 ? group->send(data.data(), bytes, 1, 2)
                                          : group->receive(data.data(), bytes, 0, 2);
        const double after = world.now();
        world.wait(*request);
        timing = request->timing();
        expectOrdered(timing, findings);
        findings.expect(before <= timing.ready && timing.ready <= after,
                        "was not ready when asked");
    }
    double senderReady = timing.ready;
    world.broadcast(&senderReady, sizeof senderReady, 0);
    if (group->rank() == 1)
        findings.expectEqual(timing.begin, std::max(timing.ready, senderReady), "begin");
}

void receiverWaitsForALateSender(World& world, Findings& findings)
{
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20})
        exchangeWithOneLate(world, 0, bytes, findings);
}

void aLateReceiverDoesNotWait(World& world, Findings& findings)
{
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20})
        exchangeWithOneLate(world, 1, bytes, findings);
}

void aReceiveIsReadyWhenItsConsumerWaits(World& world, Findings& findings)
{
    auto group = everyone(world);
    char data = 0;
    if (group->rank() == 0) {
        auto request = group->send(&data, 1, 1, 2);
        world.wait(*request);
    }
    if (group->rank() == 1) {
        auto early = group->receive(&data, 1, 0, 2);
        sleepSeconds(late);
        const double consumer = world.now();
        early->markReady(consumer);
        world.wait(*early);
        findings.expectEqual(early->timing().ready, consumer, "ready");
        expectOrdered(early->timing(), findings);
    }
    world.barrier();
    if (group->rank() == 0) {
        auto request = group->send(&data, 1, 1, 2);
        world.wait(*request);
    }
    if (group->rank() == 1) {
        auto arrived = group->receive(&data, 1, 0, 2);
        world.wait(*arrived);
        const double consumer = world.now() + late;
        arrived->markReady(consumer);
        findings.expectEqual(arrived->timing().ready, consumer, "ready after arrival");
        expectOrdered(arrived->timing(), findings);
    }
}

void allReduceBeginsWithItsLastMember(World& world, Findings& findings)
{
    auto group = everyone(world);
    const int lateRank = world.size() - 1;
    for (const std::size_t count : {std::size_t{10}, std::size_t{100000}, std::size_t{1000000}}) {
        std::vector<float> data(count, 1.0f);
        world.barrier();
        if (world.rank() == lateRank)
            sleepSeconds(late);
        auto request =
            group->allReduce(data.data(), static_cast<std::int64_t>(count), Reduction::Sum);
        world.wait(*request);
        const Timing timing = request->timing();
        expectOrdered(timing, findings);
        double lastReady = timing.ready;
        auto last = group->allReduce(&lastReady, 1, Reduction::Maximum);
        world.wait(*last);
        findings.expectEqual(timing.begin, lastReady, "begin");
        findings.expectEqual(data[0], static_cast<float>(world.size()), "the sum");
    }
}

} // namespace

std::vector<Case> timingCases()
{
    return {{"receiverWaitsForALateSender", 2, receiverWaitsForALateSender},
            {"aLateReceiverDoesNotWait", 2, aLateReceiverDoesNotWait},
            {"aReceiveIsReadyWhenItsConsumerWaits", 2, aReceiveIsReadyWhenItsConsumerWaits},
            {"allReduceBeginsWithItsLastMember", 1, allReduceBeginsWithItsLastMember}};
}

} // namespace triaxis::tests
