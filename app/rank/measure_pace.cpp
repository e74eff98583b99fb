#include "app/rank/measurement.h"
#include "engine/record/utc.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace triaxis::rank
{
namespace
{

constexpr double interval = 5e-3;
/// Traces of so many cores tell of all others too.
constexpr int mostTraces = 64;

int momentsOf(const MeasurementPace& pace)
{
    return pace.coarse ? 200 : 400;
}

/// A little of everything that a layer does: products with operands from the caches and from
/// outside, loops over rows, and an optimizer.
class PieceOfWork
{
public:
    explicit PieceOfWork(Measurement& measurement)
        : m(measurement),
          m_vectors(m.device().allocateFloats(4 * width, kernels::MemoryUse::Workspace)),
          m_statistics(m.device().allocateFloats(2 * rows, kernels::MemoryUse::Workspace))
    {
        m.device().fill(m.stream(), m_vectors.floats(), 0.0F, 4 * width);
        m.device().fill(m.stream(), m_statistics.floats(), 1.0F, 2 * rows);
    }

    void operator()()
    {
        kernels::Device& device = m.device();
        product(rows, 3 * width, width, kernels::Transpose::No);
        float* const vectors = m_vectors.floats();
        device.layerNormForward(m.stream(), m.warm(2, rows * width), m_statistics.floats(),
                                m_statistics.floats() + rows, m.warm(0, rows * width), vectors,
                                vectors + width, 1e-5F, rows, width);
        device.geluForward(m.stream(), m.warm(2, rows * width), m.warm(0, rows * width), vectors,
                           rows, width);
        product(width, width, rows, kernels::Transpose::Yes);
        kernels::AdamW settings;
        settings.learningRate = 1e-6F;
        device.adamW(m.stream(), m.cold(0, updated), m.cold(1, updated), m.cold(2, updated),
                     m.cold(3, updated), settings, updated);
    }

private:
    void product(std::int64_t rowsOut, std::int64_t columns, std::int64_t depth,
                 kernels::Transpose left)
    {
        kernels::Gemm gemm;
        gemm.m = rowsOut;
        gemm.n = columns;
        gemm.k = depth;
        gemm.transA = left;
        gemm.lda = left == kernels::Transpose::Yes ? rowsOut : depth;
        gemm.ldb = gemm.ldc = columns;
        gemm.a = m.warm(0, rowsOut * depth);
        gemm.b = m.cold(1, depth * columns);
        gemm.c = m.warm(2, rowsOut * columns);
        m.device().gemm(m.stream(), gemm);
    }

    static constexpr std::int64_t rows = 128, width = 128, updated = 8192;
    Measurement& m;
    kernels::Buffer m_vectors, m_statistics;
};

/// The pace of this rank's core.
class PaceClock
{
public:
    explicit PaceClock(int moments) : m_done(std::size_t(moments), 0), m_calls(std::size_t(moments))
    {
    }

    double length() const { return interval * double(m_done.size()); }

    /// One call of the work lasted from `begin` to `end`, in seconds since the first.
    void count(double begin, double end)
    {
        const double seconds = std::max(1e-9, end - begin);
        for (double at = begin; at < end;) {
            const auto moment = std::size_t(at / interval);
            if (moment >= m_done.size())
                return;
            const double until = std::min(end, interval * double(moment + 1));
            m_done[moment] += (until - at) / seconds;
            m_calls[moment].push_back(seconds);
            at = std::max(until, std::nextafter(at, length()));
        }
    }

    std::vector<double> seconds() const
    {
        std::vector<double> all;
        for (const double done : m_done)
            all.push_back(interval / std::max(1e-9, done));
        return all;
    }

    /// What a sample of each moment shows: a lower quartile of its calls. Where a call was
    /// interrupted for long, a sample shows what the next one does.
    std::vector<double> samples() const
    {
        constexpr std::size_t fewest = 3;
        std::vector<double> all(m_calls.size(), 0);
        double next = interval;
        for (std::size_t i = m_calls.size(); i-- > 0;) {
            std::vector<double> calls = m_calls[i];
            if (calls.size() >= fewest) {
                const auto place = calls.begin() + std::ptrdiff_t(calls.size() / 4);
                std::nth_element(calls.begin(), place, calls.end());
                next = *place;
            }
            all[i] = next;
        }
        return all;
    }

private:
    std::vector<double> m_done; ///< calls within each moment, in parts
    std::vector<std::vector<double>> m_calls;
};

double rounded(double seconds)
{
    const double unit = std::pow(10, std::floor(std::log10(seconds)) - 3);
    return std::round(seconds / unit) * unit;
}

/// Of the first ranks, on all of them.
std::vector<std::vector<double>> gathered(Measurement& measurement, const std::vector<double>& own,
                                          int traces)
{
    kernels::World& world = measurement.world();
    std::vector<int> members(std::size_t(world.size()));
    std::iota(members.begin(), members.end(), 0);
    const auto everyone = world.makeGroup({members});
    const auto length = std::ptrdiff_t(own.size());
    std::vector<double> all(own.size() * std::size_t(traces), 0);
    if (world.rank() < traces)
        std::copy(own.begin(), own.end(), all.begin() + length * world.rank());
    const auto request =
        everyone->allReduce(all.data(), std::int64_t(all.size()), kernels::Reduction::Sum);
    world.wait(*request);
    std::vector<std::vector<double>> lists;
    for (int rank = 0; rank < traces; ++rank)
        std::transform(all.begin() + length * rank, all.begin() + length * (rank + 1),
                       std::back_inserter(lists.emplace_back()), rounded);
    return lists;
}

std::vector<double> quantilesOf(std::vector<double> values)
{
    constexpr std::size_t count = 20;
    std::sort(values.begin(), values.end());
    std::vector<double> quantiles;
    for (std::size_t i = 0; i < count; ++i)
        quantiles.push_back(rounded(values[(2 * i + 1) * values.size() / (2 * count)]));
    return quantiles;
}

void addSamples(PaceTrace& trace, const std::vector<std::vector<double>>& samples)
{
    std::vector<double> alone, crowded, team;
    for (std::size_t moment = 0; moment < samples.front().size(); ++moment) {
        double sum = 0, longest = 0;
        for (const auto& core : samples) {
            alone.push_back(core[moment]);
            sum += core[moment];
            longest = std::max(longest, core[moment]);
        }
        crowded.push_back(sum / double(samples.size()));
        team.push_back(longest);
    }
    trace.alone = quantilesOf(std::move(alone));
    trace.crowded = quantilesOf(std::move(crowded));
    trace.team = quantilesOf(std::move(team));
}

} // namespace

void measurePace(Measurement& measurement)
{
    measurement.tell("the pace of the cores", 0.5);
    PieceOfWork work(measurement);
    PaceClock clock(momentsOf(measurement.pace()));
    for (int i = 0; i < 20; ++i)
        work();
    measurement.world().barrier();
    const std::string date = utcText(unixTime());
    const double start = steadySeconds();
    for (double begin = 0; begin < clock.length();) {
        work();
        measurement.stream().synchronize();
        const double end = steadySeconds() - start;
        clock.count(begin, end);
        begin = end;
    }
    const int traces = std::min(measurement.world().size(), mostTraces);
    PaceTrace trace{date, interval, gathered(measurement, clock.seconds(), traces), {}, {}, {}};
    addSamples(trace, gathered(measurement, clock.samples(), traces));
    measurement.result().paces.push_back(std::move(trace));
}

} // namespace triaxis::rank
