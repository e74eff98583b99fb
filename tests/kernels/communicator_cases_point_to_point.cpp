#include "kernels/error.h"
#include "tests/kernels/communicator_cases.h"

#include <algorithm>
#include <array>

namespace triaxis::tests
{

namespace
{

using kernels::Communicator;
using kernels::Request;
using kernels::World;

constexpr std::size_t MiB = std::size_t{1} << 20;

void waitAll(World& world, std::vector<std::unique_ptr<Request>>& requests)
{
    for (auto& request : requests)
        world.wait(*request);
}

void everySizeArrivesWhole(World& world, Findings& findings)
{
    auto group = everyone(world);
    const int next = (group->rank() + 1) % group->size();
    const int previous = (group->rank() + group->size() - 1) % group->size();
    int message = 0;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{3}, std::size_t{127}, std::size_t{2040},
          std::size_t{2047}, std::size_t{2048}, std::size_t{2049}, std::size_t{4097},
          std::size_t{65537}, MiB + 1, 5 * MiB + 3}) {
        const auto sent = pattern(group->rank(), message, bytes);
        std::vector<unsigned char> received(bytes, 0xEE);
        auto receive = group->receive(received.data(), bytes, previous, 11);
        auto send = group->send(sent.data(), bytes, next, 11);
        world.wait(*send);
        world.wait(*receive);
        findings.expect(received == pattern(previous, message, bytes),
                        std::to_string(bytes) + " bytes arrived changed");
        ++message;
    }
}

void neighboursSendToEachOtherAtOnce(World& world, Findings& findings)
{
    auto group = everyone(world);
    const int peer = group->rank() ^ 1;
    if (peer >= group->size())
        return;
    const std::size_t bytes = 4 * MiB;
    const auto sent = pattern(group->rank(), 1, bytes);
    std::vector<unsigned char> received(bytes);
    auto send = group->send(sent.data(), bytes, peer, 3);
    auto receive = group->receive(received.data(), bytes, peer, 3);
    world.wait(*send);
    world.wait(*receive);
    findings.expect(received == pattern(peer, 1, bytes), "the message arrived changed");
}

void messagesOfOneTagArriveInOrder(World& world, Findings& findings)
{
    auto group = everyone(world);
    const std::array<std::size_t, 7> sizes{5, 100000, 0, 2048, 300000, 17, 2049};
    const int next = (group->rank() + 1) % group->size();
    const int previous = (group->rank() + group->size() - 1) % group->size();
    std::vector<std::vector<unsigned char>> out;
    std::vector<std::vector<unsigned char>> in;
    std::vector<std::unique_ptr<Request>> sends;
    std::vector<std::unique_ptr<Request>> receives;
    for (int i = 0; i < 21; ++i) {
        const std::size_t bytes = sizes[static_cast<std::size_t>(i) % sizes.size()];
        out.push_back(pattern(group->rank(), i, bytes));
        sends.push_back(group->send(out.back().data(), bytes, next, 5));
    }
    for (int i = 0; i < 21; ++i) {
        in.emplace_back(sizes[static_cast<std::size_t>(i) % sizes.size()]);
        receives.push_back(group->receive(in.back().data(), in.back().size(), previous, 5));
    }
    waitAll(world, receives);
    waitAll(world, sends);
    for (int i = 0; i < 21; ++i)
        findings.expect(in[static_cast<std::size_t>(i)] ==
                            pattern(previous, i, in[static_cast<std::size_t>(i)].size()),
                        "message " + std::to_string(i) + " is not the one that was sent as such");
}

void tagsKeepMessagesApart(World& world, Findings& findings)
{
    auto group = everyone(world);
    const int peer = group->rank() ^ 1;
    if (peer >= group->size())
        return;
    constexpr int messages = 6;
    constexpr std::size_t bytes = 70000;
    std::vector<std::vector<unsigned char>> out;
    std::vector<std::vector<unsigned char>> in(messages, std::vector<unsigned char>(bytes));
    std::vector<std::unique_ptr<Request>> requests;
    for (int tag = 0; tag < messages; ++tag) {
        out.push_back(pattern(group->rank(), tag, bytes));
        requests.push_back(group->send(out.back().data(), bytes, peer, tag * 1000));
    }
    for (int tag = messages - 1; tag >= 0; --tag)
        requests.push_back(
            group->receive(in[static_cast<std::size_t>(tag)].data(), bytes, peer, tag * 1000));
    waitAll(world, requests);
    for (int tag = 0; tag < messages; ++tag)
        findings.expect(in[static_cast<std::size_t>(tag)] == pattern(peer, tag, bytes),
                        "tag " + std::to_string(tag * 1000) + " brought another message");
}

void groupsKeepMessagesApart(World& world, Findings& findings)
{
    auto first = everyone(world);
    auto second = everyone(world);
    const int peer = first->rank() ^ 1;
    if (peer >= first->size())
        return;
    const int own = first->rank();
    int fromFirst = -1;
    int fromSecond = -1;
    const int toFirst = 100 + own;
    const int toSecond = 200 + own;
    std::vector<std::unique_ptr<Request>> requests;
    requests.push_back(second->receive(&fromSecond, sizeof fromSecond, peer, 1));
    requests.push_back(first->receive(&fromFirst, sizeof fromFirst, peer, 1));
    requests.push_back(first->send(&toFirst, sizeof toFirst, peer, 1));
    requests.push_back(second->send(&toSecond, sizeof toSecond, peer, 1));
    waitAll(world, requests);
    findings.expectEqual(fromFirst, 100 + peer, "over the first group");
    findings.expectEqual(fromSecond, 200 + peer, "over the second group");
}

void refusesPeersAndTagsThatAreNone(World& world, Findings& findings)
{
    auto group = everyone(world);
    char byte = 0;
    const auto refused = [&](auto&& call, const char* what) {
        try {
            call();
            findings.expect(false, std::string(what) + " was accepted");
        } catch (const kernels::DeviceError&) {
        }
    };
    refused([&] { group->send(&byte, 1, group->size(), 0); }, "a send to a rank past the last");
    refused([&] { group->receive(&byte, 1, -1, 0); }, "a receive from rank -1");
    refused([&] { group->send(&byte, 1, 0, -4); }, "a negative tag");
}

/// Of short messages, which leave their sender at once. For long ones see longerMessage in
/// communicator_ranks.cpp.
void reportsAMessageOfAnotherSize(World& world, Findings& findings)
{
    struct Sizes
    {
        std::size_t sent, expected;
    };
    auto group = everyone(world);
    for (const Sizes sizes : {Sizes{8, 16}, Sizes{16, 8}, Sizes{100, 5000}}) {
        auto pair = everyone(world);
        const std::vector<char> out(sizes.sent);
        std::vector<char> in(sizes.expected);
        std::unique_ptr<Request> send;
        std::unique_ptr<Request> receive;
        if (group->rank() == 0)
            send = pair->send(out.data(), out.size(), 1, 9);
        if (group->rank() == 1) {
            receive = pair->receive(in.data(), in.size(), 0, 9);
            try {
                world.wait(*receive);
                findings.expect(false, std::to_string(sizes.sent) + " bytes passed for " +
                                           std::to_string(sizes.expected));
            } catch (const kernels::DeviceError&) {
            }
        }
        if (send)
            world.wait(*send);
    }
}

/// Rank 0 only calls progress() until the others have said that they are through: they need its
/// part of the payload.
void progressMovesWhatIsOutstanding(World& world, Findings& findings)
{
    auto group = everyone(world);
    const std::size_t bytes = 3 * MiB;
    const auto sent = pattern(1, 8, bytes);
    std::vector<unsigned char> received(bytes);
    std::vector<float> sums(bytes / sizeof(float), 1.0f);
    char done = 0;
    auto reduce = group->allReduce(sums.data(), static_cast<std::int64_t>(sums.size()),
                                   kernels::Reduction::Sum);
    if (group->rank() == 0) {
        auto receive = group->receive(received.data(), bytes, 1, 1);
        std::vector<std::unique_ptr<Request>> told;
        for (int peer = 1; peer < group->size(); ++peer)
            told.push_back(group->receive(&done, 1, peer, 2));
        const double deadline = world.now() + 20;
        const auto through = [](const auto& request) { return request->test(); };
        while (!std::all_of(told.begin(), told.end(), through) && world.now() < deadline)
            world.progress();
        findings.expect(std::all_of(told.begin(), told.end(), through), "a rank got stuck");
        world.wait(*receive);
        world.wait(*reduce);
        waitAll(world, told);
        findings.expect(received == sent, "the message arrived changed");
    } else {
        if (group->rank() == 1) {
            auto send = group->send(sent.data(), bytes, 0, 1);
            world.wait(*send);
        }
        world.wait(*reduce);
        auto tell = group->send(&done, 1, 0, 2);
        world.wait(*tell);
    }
    world.wait(*reduce);
    findings.expectEqual(sums.back(), static_cast<float>(group->size()), "the sum");
}

/// A request of the caller's own kind.
class Countdown final : public Request
{
public:
    bool test() override { return --m_left <= 0; }
    void markReady(double) override {}
    kernels::Timing timing() const override { return {}; }
    int left() const { return m_left; }

private:
    int m_left = 600; // past the looks after which a crowded rank sleeps between them
};

void waitsForAnyKindOfRequest(World& world, Findings& findings)
{
    Countdown countdown;
    world.wait(countdown);
    findings.expectEqual(countdown.left(), 0, "tests left");
}

} // namespace

std::vector<Case> pointToPointCases()
{
    return {{"everySizeArrivesWhole", 2, everySizeArrivesWhole},
            {"neighboursSendToEachOtherAtOnce", 2, neighboursSendToEachOtherAtOnce},
            {"messagesOfOneTagArriveInOrder", 2, messagesOfOneTagArriveInOrder},
            {"tagsKeepMessagesApart", 2, tagsKeepMessagesApart},
            {"groupsKeepMessagesApart", 2, groupsKeepMessagesApart},
            {"refusesPeersAndTagsThatAreNone", 1, refusesPeersAndTagsThatAreNone},
            {"reportsAMessageOfAnotherSize", 2, reportsAMessageOfAnotherSize},
            {"progressMovesWhatIsOutstanding", 2, progressMovesWhatIsOutstanding},
            {"waitsForAnyKindOfRequest", 1, waitsForAnyKindOfRequest}};
}

} // namespace triaxis::tests
