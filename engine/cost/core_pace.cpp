#include "engine/cost/core_pace.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

std::size_t momentsOf(const PaceTrace& trace)
{
    std::size_t most = trace.seconds.empty() ? 0 : trace.seconds.front().size();
    for (const auto& core : trace.seconds)
        most = std::min(most, core.size());
    return most;
}

/// The shortest that a sample has shown.
double quickestSeconds(const std::vector<PaceTrace>& traces)
{
    double quickest = never;
    for (const PaceTrace& trace : traces)
        for (const double seconds : trace.alone)
            quickest = std::min(quickest, seconds);
    return quickest;
}

/// Expected shortest of one draw from each list.
double expectedShortest(const std::vector<std::vector<double>>& lists)
{
    std::vector<double> all;
    for (const auto& list : lists)
        all.insert(all.end(), list.begin(), list.end());
    std::sort(all.begin(), all.end());
    double expected = 0, before = 0;
    for (const double value : all) {
        // The chance that all draws reach `value`.
        double chance = 1;
        for (const auto& list : lists)
            chance *= double(std::count_if(list.begin(), list.end(),
                                           [&](double drawn) { return drawn >= value; })) /
                      double(list.size());
        expected += chance * (value - before);
        before = value;
    }
    return expected;
}

const std::vector<double>& samplesOf(const PaceTrace& trace, const Occupancy& under)
{
    if (under.ranks > 1)
        return trace.crowded;
    return under.threads > 1 ? trace.team : trace.alone;
}

} // namespace

CorePace::CorePace(double slowness) : m_uniform(slowness) {}

CorePace::CorePace(const MachineCalibration& calibration)
{
    const double quickest = quickestSeconds(calibration.paces);
    const auto& traces = calibration.now.empty() ? calibration.paces : calibration.now;
    if (quickest == never)
        return;
    for (const PaceTrace& trace : traces) {
        const std::size_t moments = momentsOf(trace);
        if (moments == 0)
            continue;
        m_interval = trace.interval;
        m_slowness.resize(std::max(m_slowness.size(), trace.seconds.size()));
        for (std::size_t core = 0; core < m_slowness.size(); ++core) {
            const auto& seconds = trace.seconds[core % trace.seconds.size()];
            for (std::size_t moment = 0; moment < moments; ++moment)
                m_slowness[core].push_back(seconds[moment] / quickest);
        }
    }
}

CorePace CorePace::times(double factor) const
{
    CorePace slower = *this;
    slower.m_uniform *= factor;
    for (auto& core : slower.m_slowness)
        for (double& slowness : core)
            slowness *= factor;
    return slower;
}

double CorePace::length() const
{
    return even() ? 0 : m_interval * double(m_slowness.front().size());
}

std::size_t CorePace::momentAt(double time) const
{
    // Half a nanosecond late, so that the end of a moment belongs to the next one.
    const double moments = std::floor((time + 0.5e-9) / m_interval);
    return std::size_t(std::fmod(std::max(0.0, moments), double(m_slowness.front().size())));
}

double CorePace::slowness(int core, double time) const
{
    if (even())
        return m_uniform;
    return m_slowness[std::size_t(std::max(0, core)) % m_slowness.size()][momentAt(time)];
}

double CorePace::slowestOf(int core, int threads, double time) const
{
    double slowest = slowness(core, time);
    const int others = even() ? 1 : std::min(threads, int(m_slowness.size()));
    for (int i = 1; i < others; ++i)
        slowest = std::max(slowest, slowness(core + i, time));
    return slowest;
}

double CorePace::shared(int cores, double time) const
{
    if (even())
        return m_uniform;
    const int followed = std::min(std::max(1, cores), int(m_slowness.size()));
    double rate = 0;
    for (int core = 0; core < followed; ++core)
        rate += 1 / slowness(core, time);
    return followed / rate;
}

double CorePace::nextChange(double time) const
{
    if (even())
        return never;
    return m_interval * (std::floor((time + 0.5e-9) / m_interval) + 1);
}

double CorePace::mean() const
{
    if (even())
        return m_uniform;
    double rate = 0;
    for (const auto& core : m_slowness)
        for (const double slowness : core)
            rate += 1 / slowness;
    return double(m_slowness.size() * m_slowness.front().size()) / rate;
}

double slownessOfSamples(const MachineCalibration& calibration, const Occupancy& under)
{
    std::vector<std::vector<double>> lists;
    for (const PaceTrace& trace : calibration.paces)
        if (!samplesOf(trace, under).empty())
            lists.push_back(samplesOf(trace, under));
    if (lists.empty())
        return 1;
    return expectedShortest(lists) / quickestSeconds(calibration.paces);
}

} // namespace triaxis
