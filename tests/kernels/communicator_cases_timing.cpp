#include "tests/kernels/communicator_cases.h"

#include <cmath>

namespace triaxis::tests
{

namespace
{

using kernels::Reduction;
using kernels::Request;
using kernels::Timing;
using kernels::World;

constexpr double late = 0.08;
/// Clocks, and ranks that wait for a core.
constexpr double slack = 0.02;

void expectOrdered(const Timing& timing, Findings& findings)
{
    findings.expect(timing.ready <= timing.begin && timing.begin <= timing.end,
                    "ready " + std::to_string(timing.ready) + ", begin " +
                        std::to_string(timing.begin) + ", end " + std::to_string(timing.end));
}

void receiverWaitsForALateSender(World& world, Findings& findings)
{
    auto group = everyone(world);
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20}) {
        std::vector<char> data(bytes);
        double sent = 0;
        world.barrier();
        if (group->rank() == 0) {
            sleepSeconds(late);
            sent = world.now();
            auto request = group->send(data.data(), bytes, 1, 2);
            world.wait(*request);
            expectOrdered(request->timing(), findings);
            findings.expect(std::abs(request->timing().ready - sent) < slack,
                            "the sender was ready when it sent");
        }
        Timing timing;
        if (group->rank() == 1) {
            auto request = group->receive(data.data(), bytes, 0, 2);
            world.wait(*request);
            timing = request->timing();
        }
        world.broadcast(&sent, sizeof sent, 0);
        if (group->rank() == 1) {
            expectOrdered(timing, findings);
            findings.expect(timing.begin - timing.ready > late - slack,
                            "waited " + std::to_string(timing.begin - timing.ready) + " s");
            findings.expect(timing.begin >= sent - 1e-4, "began before the sender was ready");
        }
    }
}

void aLateReceiverDoesNotWait(World& world, Findings& findings)
{
    auto group = everyone(world);
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{3} << 20}) {
        std::vector<char> data(bytes);
        world.barrier();
        if (group->rank() == 0) {
            auto request = group->send(data.data(), bytes, 1, 2);
            world.wait(*request);
            expectOrdered(request->timing(), findings);
        }
        if (group->rank() == 1) {
            sleepSeconds(late);
            auto request = group->receive(data.data(), bytes, 0, 2);
            world.wait(*request);
            expectOrdered(request->timing(), findings);
            findings.expectEqual(request->timing().begin, request->timing().ready, "begin");
        }
    }
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
        double issued = world.now();
        auto request =
            group->allReduce(data.data(), static_cast<std::int64_t>(count), Reduction::Sum);
        world.wait(*request);
        const Timing timing = request->timing();
        expectOrdered(timing, findings);
        world.broadcast(&issued, sizeof issued, lateRank);
        findings.expect(timing.begin >= issued - 1e-4, "began before the last member was ready");
        if (world.rank() == 0 && world.size() > 1)
            findings.expect(timing.begin - timing.ready > late - slack,
                            "waited " + std::to_string(timing.begin - timing.ready) + " s");
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
