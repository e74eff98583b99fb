#include "tests/kernels/communicator_cases.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace triaxis::tests
{

namespace
{

using kernels::Communicator;
using kernels::Reduction;
using kernels::Request;
using kernels::World;

using Groups = std::vector<std::vector<int>>;

/// What world rank `rank` gives for element i of all-reduce `which`: magnitudes from 2⁻¹⁴ to 2¹⁵
/// and both signs, so that the order of additions shows in the last bits.
template <typename T>
T element(int rank, int which, std::size_t i)
{
    std::uint64_t x =
        i + 1000003u * static_cast<std::uint64_t>(rank) + 7919u * static_cast<std::uint64_t>(which);
    x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
    x ^= x >> 32;
    const double fraction = static_cast<double>(x >> 12) / 4503599627370496.0 - 0.5;
    return static_cast<T>(std::ldexp(fraction, static_cast<int>(x & 31) - 14));
}

template <typename T>
std::vector<T> contribution(int rank, int which, std::size_t count)
{
    std::vector<T> data(count);
    for (std::size_t i = 0; i < count; ++i)
        data[i] = element<T>(rank, which, i);
    return data;
}

/// The sum in member order, or the maximum, computed here alone.
template <typename T>
std::vector<T> reference(const std::vector<int>& members, int which, std::size_t count,
                         Reduction reduction)
{
    std::vector<T> result = contribution<T>(members[0], which, count);
    for (std::size_t m = 1; m < members.size(); ++m)
        for (std::size_t i = 0; i < count; ++i) {
            const T next = element<T>(members[m], which, i);
            result[i] = reduction == Reduction::Sum ? result[i] + next : std::max(result[i], next);
        }
    return result;
}

template <typename T>
bool sameBits(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

const std::vector<int>& ownMembers(const World& world, const Groups& groups)
{
    for (const auto& group : groups)
        if (std::find(group.begin(), group.end(), world.rank()) != group.end())
            return group;
    static const std::vector<int> none;
    return none;
}

template <typename T>
void reduceAndCompare(World& world, Communicator& group, const std::vector<int>& members,
                      Reduction reduction, std::size_t count, Findings& findings)
{
    const int which = static_cast<int>(count % 1000);
    std::vector<T> data = contribution<T>(world.rank(), which, count);
    auto request = group.allReduce(data.data(), static_cast<std::int64_t>(count), reduction);
    world.wait(*request);
    findings.expect(sameBits(data, reference<T>(members, which, count, reduction)),
                    std::to_string(count) + " elements over " + std::to_string(members.size()) +
                        " ranks differ from the sum in member order");
}

void walkGroups(World& world, const Groups& groups, const std::vector<std::size_t>& counts,
                Findings& findings)
{
    auto group = world.makeGroup(groups);
    const auto& members = ownMembers(world, groups);
    findings.expectEqual(group != nullptr, !members.empty(), "membership");
    if (!group)
        return;
    findings.expectEqual(group->size(), static_cast<int>(members.size()), "group size");
    findings.expectEqual(members[static_cast<std::size_t>(group->rank())], world.rank(),
                         "own place");
    for (const std::size_t count : counts)
        for (const Reduction reduction : {Reduction::Sum, Reduction::Maximum}) {
            reduceAndCompare<float>(world, *group, members, reduction, count, findings);
            reduceAndCompare<double>(world, *group, members, reduction, count, findings);
        }
}

const std::vector<std::size_t> allCounts{0, 1, 2, 3, 15, 17, 1000, 2047, 4097, 9001, 65539, 300007};

void groupsOfOne(World& world, Findings& findings)
{
    walkGroups(world, {{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, {0, 1, 1000}, findings);
    auto group = world.makeGroup({{world.size() - 1}});
    if (!group)
        return;
    float value = 3;
    auto request = group->allReduce(&value, 1, Reduction::Sum);
    findings.expect(request->test(), "an all-reduce of one rank alone did not complete at once");
    findings.expectEqual(value, 3.0f, "its value");
}

void groupsOfTwo(World& world, Findings& findings)
{
    walkGroups(world, {{0, 1}, {2, 3}, {4, 5}, {6, 7}}, allCounts, findings);
    walkGroups(world, {{1, 0}, {3, 6}, {5, 2}}, allCounts, findings);
}

void groupsOfThree(World& world, Findings& findings)
{
    walkGroups(world, {{0, 1, 2}, {5, 3, 7}}, allCounts, findings);
}

void groupsOfFour(World& world, Findings& findings)
{
    walkGroups(world, {{0, 2, 4, 6}, {7, 5, 3, 1}}, allCounts, findings);
}

void groupOfEight(World& world, Findings& findings)
{
    walkGroups(world, {{0, 1, 2, 3, 4, 5, 6, 7}}, allCounts, findings);
    walkGroups(world, {{3, 7, 1, 0, 6, 2, 5, 4}}, {1, 17, 9001, 100003}, findings);
}

void largeBuffers(World& world, Findings& findings)
{
    const Groups pair{{0, 1}};
    const Groups four{{4, 5, 6, 7}};
    walkGroups(world, pair, {(std::size_t{3} << 20) + 13}, findings);
    if (world.size() >= 8)
        walkGroups(world, four, {(std::size_t{1} << 20) + 13}, findings);
}

/// Issued in one order by all, waited for in the opposite one.
void severalOutstanding(World& world, Findings& findings)
{
    const Groups firstGroups{{0, 1, 2, 3}, {4, 5, 6, 7}};
    const Groups secondGroups{{0, 4}, {1, 5}, {2, 6}, {3, 7}};
    auto first = world.makeGroup(firstGroups);
    auto second = world.makeGroup(secondGroups);
    const std::vector<std::size_t> counts{10, 70001, 0, 300000, 3, 4096, 1, 500, 123457, 64};
    std::vector<std::vector<float>> data;
    std::vector<std::unique_ptr<Request>> requests;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const Reduction reduction = i % 3 == 2 ? Reduction::Maximum : Reduction::Sum;
        for (Communicator* group : {first.get(), second.get()}) {
            data.push_back(contribution<float>(world.rank(), static_cast<int>(i), counts[i]));
            requests.push_back(group->allReduce(data.back().data(),
                                                static_cast<std::int64_t>(counts[i]), reduction));
        }
    }
    for (auto request = requests.rbegin(); request != requests.rend(); ++request)
        world.wait(**request);
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const Reduction reduction = i % 3 == 2 ? Reduction::Maximum : Reduction::Sum;
        const int which = static_cast<int>(i);
        findings.expect(sameBits(data[2 * i], reference<float>(ownMembers(world, firstGroups),
                                                               which, counts[i], reduction)),
                        "all-reduce " + std::to_string(i) + " of the first group");
        findings.expect(sameBits(data[2 * i + 1], reference<float>(ownMembers(world, secondGroups),
                                                                   which, counts[i], reduction)),
                        "all-reduce " + std::to_string(i) + " of the second group");
    }
}

void sameBitsHoweverRanksAreDelayed(World& world, Findings& findings)
{
    const std::vector<int> members{0, 1, 2, 3, 4, 5, 6, 7};
    auto group = world.makeGroup({members});
    const std::size_t count = 20011;
    const auto expected = reference<float>(members, 77, count, Reduction::Sum);
    for (int repeat = 0; repeat < 12; ++repeat) {
        auto data = contribution<float>(world.rank(), 77, count);
        if ((world.rank() * 5 + repeat * 3) % 8 < 3)
            sleepSeconds(0.001 * ((world.rank() + repeat) % 4));
        auto request = group->allReduce(data.data(), count, Reduction::Sum);
        world.wait(*request);
        findings.expect(sameBits(data, expected), "repeat " + std::to_string(repeat));
    }
}

void runsBesideLargeMessages(World& world, Findings& findings)
{
    auto group = everyone(world);
    std::vector<int> members;
    for (int rank = 0; rank < world.size(); ++rank)
        members.push_back(rank);
    const int next = (group->rank() + 1) % group->size();
    const int previous = (group->rank() + group->size() - 1) % group->size();
    const std::size_t bytes = std::size_t{2} << 20;
    const std::size_t count = 150001;
    const auto out = pattern(group->rank(), 4, bytes);
    std::vector<unsigned char> in(bytes);
    auto sums = contribution<double>(world.rank(), 5, count);
    auto receive = group->receive(in.data(), bytes, previous, 1);
    auto reduce = group->allReduce(sums.data(), count, Reduction::Sum);
    auto send = group->send(out.data(), bytes, next, 1);
    world.wait(*reduce);
    world.wait(*send);
    world.wait(*receive);
    findings.expect(in == pattern(previous, 4, bytes), "the message arrived changed");
    findings.expect(sameBits(sums, reference<double>(members, 5, count, Reduction::Sum)),
                    "the sum");
}

void notANumberReachesAll(World& world, Findings& findings)
{
    auto group = everyone(world);
    for (int origin = 0; origin < world.size(); ++origin)
        for (const Reduction reduction : {Reduction::Sum, Reduction::Maximum}) {
            std::vector<float> data(40, static_cast<float>(world.rank()));
            if (world.rank() == origin)
                data[17] = std::numeric_limits<float>::quiet_NaN();
            auto request = group->allReduce(data.data(), 40, reduction);
            world.wait(*request);
            findings.expect(std::isnan(data[17]),
                            "NaN of rank " + std::to_string(origin) + " was lost");
            findings.expect(!std::isnan(data[16]),
                            "NaN of rank " + std::to_string(origin) + " spread");
        }
}

} // namespace

std::vector<Case> allReduceCases()
{
    return {{"groupsOfOne", 8, groupsOfOne},
            {"groupsOfTwo", 8, groupsOfTwo},
            {"groupsOfThree", 8, groupsOfThree},
            {"groupsOfFour", 8, groupsOfFour},
            {"groupOfEight", 8, groupOfEight},
            {"largeBuffers", 2, largeBuffers},
            {"severalOutstanding", 8, severalOutstanding},
            {"sameBitsHoweverRanksAreDelayed", 8, sameBitsHoweverRanksAreDelayed},
            {"runsBesideLargeMessages", 2, runsBesideLargeMessages},
            {"notANumberReachesAll", 1, notANumberReachesAll}};
}

} // namespace triaxis::tests
