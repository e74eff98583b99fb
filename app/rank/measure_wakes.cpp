#include "app/rank/measurement.h"

#include <algorithm>
#include <numeric>

namespace triaxis::rank
{
namespace
{

/// Seconds that the sender computes before each message.
std::vector<double> worksOf(const MeasurementPace& pace)
{
    if (pace.coarse)
        return {0.3e-3, 4e-3};
    return {0.1e-3, 0.4e-3, 1.5e-3, 6e-3};
}

constexpr int fewestMessages = 12;

/// Messages of a pair for each length of work.
int messagesOf(const MeasurementPace& pace, double work)
{
    const double secondsOfPoint = pace.coarse ? 0.08 : 0.25;
    return std::clamp(int(secondsOfPoint / work), fewestMessages, 400);
}

/// What ranks do while others wait for them: products, with messages moved between them.
void computeFor(Measurement& measurement, double seconds)
{
    constexpr std::int64_t extent = 48;
    kernels::Gemm gemm;
    gemm.m = gemm.n = gemm.k = gemm.lda = gemm.ldb = gemm.ldc = extent;
    const double until = steadySeconds() + seconds;
    while (steadySeconds() < until) {
        gemm.a = measurement.warm(0, extent * extent);
        gemm.b = measurement.cold(1, extent * extent);
        gemm.c = measurement.warm(2, extent * extent);
        measurement.device().gemm(measurement.stream(), gemm);
        measurement.world().progress();
    }
}

struct Waits
{
    std::vector<double> waited, woken;
};

/// The members of a pair compute in turn; each waits while the other does.
Waits handOver(Measurement& measurement, kernels::Communicator& pair, double work, int messages)
{
    Waits waits;
    float token = 0;
    const int peer = 1 - pair.rank();
    for (int i = 0; i < messages; ++i) {
        const bool sends = i % 2 == pair.rank();
        if (sends)
            computeFor(measurement, work);
        const auto request = sends ? pair.send(&token, sizeof token, peer, 1)
                                   : pair.receive(&token, sizeof token, peer, 1);
        measurement.world().wait(*request);
        if (sends)
            continue;
        const kernels::Timing timing = request->timing();
        waits.waited.push_back(timing.begin - timing.ready);
        waits.woken.push_back(timing.end - timing.begin);
    }
    return waits;
}

/// Mean of all but the longest tenth: what had nothing to do with the job may have lengthened
/// those.
double mostlyMean(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    values.resize(std::max<std::size_t>(1, values.size() * 9 / 10));
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

} // namespace

void measureWakes(Measurement& measurement)
{
    kernels::World& world = measurement.world();
    if (world.size() < 2)
        return;
    std::vector<std::vector<int>> pairs;
    std::vector<int> all(std::size_t(world.size()));
    std::iota(all.begin(), all.end(), 0);
    for (int first = 0; first + 1 < world.size(); first += 2)
        pairs.push_back({first, first + 1});
    const auto pair = world.makeGroup(pairs);
    const auto everyone = world.makeGroup({all});
    for (const double work : worksOf(measurement.pace())) {
        measurement.tell("waits of " + std::to_string(world.size()) + " ranks", 0.8);
        const bool late = measurement.areLate();
        if (late)
            measurement.countShortened();
        const int messages = late ? fewestMessages : messagesOf(measurement.pace(), work);
        world.barrier();
        Waits waits;
        if (pair)
            waits = handOver(measurement, *pair, work, messages);
        double sums[2] = {mostlyMean(waits.waited), mostlyMean(waits.woken)};
        const auto request = everyone->allReduce(sums, 2, kernels::Reduction::Sum);
        world.wait(*request);
        const auto talkers = double(2 * pairs.size());
        measurement.result().wakes.push_back(
            {world.size(), std::max(1e-9, sums[0] / talkers), std::max(1e-9, sums[1] / talkers)});
    }
}

} // namespace triaxis::rank
