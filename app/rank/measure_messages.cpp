#include "app/rank/measurement.h"

#include <numeric>

namespace triaxis::rank
{
namespace
{

/// Seconds for which a point is measured: long enough that ranks that share a core have taken
/// turns.
double secondsOfPoint(const MeasurementPace& pace)
{
    return pace.coarse ? 0.04 : 0.12;
}

std::vector<std::int64_t> sizesOf(const MeasurementPace& pace)
{
    if (pace.coarse)
        return {8, 16 << 10, 256 << 10, 4 << 20};
    return {8, 1 << 10, 8 << 10, 32 << 10, 128 << 10, 512 << 10, 2 << 20, 8 << 20};
}

void measureAllReduces(Measurement& measurement)
{
    kernels::World& world = measurement.world();
    std::vector<int> members(std::size_t(world.size()));
    std::iota(members.begin(), members.end(), 0);
    const auto group = world.makeGroup({members});
    for (const std::int64_t bytes : sizesOf(measurement.pace())) {
        measurement.tell("all-reduces of " + std::to_string(world.size()) + " ranks", 0.2);
        const std::int64_t count = bytes / std::int64_t(sizeof(float));
        const double seconds = measurement.meanSecondsOf(
            [&] {
                const auto request = group->allReduce(measurement.warm(0, count), count,
                                                      kernels::Reduction::Maximum);
                world.wait(*request);
            },
            secondsOfPoint(measurement.pace()));
        measurement.result().messages.push_back(
            {MessageKind::AllReduce, world.size(), bytes, seconds});
    }
}

void measurePairs(Measurement& measurement)
{
    kernels::World& world = measurement.world();
    std::vector<std::vector<int>> pairs;
    for (int first = 0; first + 1 < world.size(); first += 2)
        pairs.push_back({first, first + 1});
    const auto pair = world.makeGroup(pairs);
    for (const std::int64_t bytes : sizesOf(measurement.pace())) {
        measurement.tell("messages between " + std::to_string(world.size()) + " ranks", 0.6);
        const double seconds = measurement.meanSecondsOf(
            [&] {
                if (!pair)
                    return;
                float* const data = measurement.warm(0, bytes / std::int64_t(sizeof(float)));
                const int peer = 1 - pair->rank();
                for (int leg = 0; leg < 2; ++leg) {
                    const auto request = leg == pair->rank()
                                             ? pair->send(data, std::size_t(bytes), peer, 1)
                                             : pair->receive(data, std::size_t(bytes), peer, 1);
                    world.wait(*request);
                }
            },
            secondsOfPoint(measurement.pace()));
        // A rank without a partner has nothing to say.
        const double talkers = double(2 * pairs.size()) / world.size();
        measurement.result().messages.push_back(
            {MessageKind::Message, world.size(), bytes, seconds / 2 / talkers});
    }
}

} // namespace

void measureMessages(Measurement& measurement)
{
    if (measurement.world().size() < 2)
        return;
    measureAllReduces(measurement);
    measurePairs(measurement);
}

} // namespace triaxis::rank
