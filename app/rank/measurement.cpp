#include "app/rank/measurement.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <numeric>
#include <utility>

namespace triaxis::rank
{
namespace
{

constexpr double tellInterval = 0.25;
constexpr float content = 0.01F;

std::unique_ptr<kernels::Communicator> everyoneOf(kernels::World& world)
{
    std::vector<int> all(std::size_t(world.size()));
    std::iota(all.begin(), all.end(), 0);
    return world.makeGroup({all});
}

/// Interruptions only lengthen a call.
double lowerQuartile(std::vector<double>& values)
{
    const auto place = values.begin() + std::ptrdiff_t(values.size() / 4);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

} // namespace

double steadySeconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

Measurement::Measurement(kernels::World& world, kernels::Device& device, int threads,
                         const MeasurementPace& pace, std::FILE* out)
    : m_world(world), m_device(device), m_threads(threads), m_pace(pace), m_out(out),
      m_stream(device.makeStream()), m_everyone(everyoneOf(world)),
      m_end(steadySeconds() + pace.most)
{
    m_result.jobs.push_back({world.size(), threads, {}, 1, 1, 0});
    for (kernels::Buffer& block : m_blocks) {
        block = device.allocateFloats(largestOperand, kernels::MemoryUse::Workspace);
        device.fill(*m_stream, block.floats(), content, largestOperand);
    }
}

float* Measurement::warm(int operand, std::int64_t count)
{
    m_warm[operand] = std::max(m_warm[operand], count);
    return m_blocks[operand].floats();
}

float* Measurement::cold(int operand, std::int64_t count)
{
    std::int64_t& next = m_next[operand];
    if (next + count > largestOperand)
        next = 0;
    float* const place = m_blocks[operand].floats() + next;
    next += (count + 15) / 16 * 16;
    return place;
}

void Measurement::makeWarm()
{
    // What no cache near a core holds is not worth the time.
    constexpr std::int64_t nearest = std::int64_t(1) << 20;
    if (std::accumulate(std::begin(m_warm), std::end(m_warm), std::int64_t(0)) > nearest)
        return;
    for (int operand = 0; operand < operands; ++operand)
        if (m_warm[operand] > 0)
            m_device.fill(*m_stream, m_blocks[operand].floats(), content, m_warm[operand]);
}

bool Measurement::isLate() const
{
    return steadySeconds() > m_end;
}

bool Measurement::areLate()
{
    char late = isLate() ? 1 : 0;
    m_world.broadcast(&late, sizeof late, 0);
    return late != 0;
}

double Measurement::secondsOf(const std::function<void()>& call, int leastCalls)
{
    leastCalls = std::max(leastCalls, m_pace.leastCalls);
    m_world.barrier();
    const bool late = isLate();
    if (late)
        countShortened();
    std::fill(std::begin(m_warm), std::end(m_warm), 0);
    call();
    std::vector<double> seconds;
    const double until = steadySeconds() + (late ? 0 : m_pace.secondsOfPoint);
    while (int(seconds.size()) < (late ? 1 : leastCalls) || steadySeconds() < until) {
        makeWarm();
        const double begin = steadySeconds();
        call();
        m_stream->synchronize();
        seconds.push_back(steadySeconds() - begin);
    }
    return lowerQuartileOf(std::move(seconds));
}

double Measurement::lowerQuartileOf(std::vector<double> seconds)
{
    double middle = std::max(1e-9, lowerQuartile(seconds));
    const auto request = m_everyone->allReduce(&middle, 1, kernels::Reduction::Sum);
    m_world.wait(*request);
    return middle / m_world.size();
}

double Measurement::meanSecondsOf(const std::function<void()>& call, double atLeast)
{
    constexpr int mostCalls = 200'000;
    const bool late = areLate();
    if (late)
        countShortened();
    call();
    m_world.barrier();
    // All ranks make as many calls, since a call may be one in which they meet: rank 0 says how
    // many, a few times over, so that calls that turn out slow cannot add up.
    double seconds = 0;
    int calls = 0;
    int next = late ? 1 : m_pace.leastCalls;
    while (next > 0) {
        const double begin = steadySeconds();
        for (int i = 0; i < next; ++i)
            call();
        m_stream->synchronize();
        const double taken = std::max(1e-9, steadySeconds() - begin);
        seconds += taken;
        calls += next;
        const double left = (late ? 0 : atLeast - seconds) * next / taken;
        next = std::clamp(int(std::clamp(left, 0.0, double(mostCalls))), 0,
                          std::min(3 * calls, mostCalls - calls));
        m_world.broadcast(&next, sizeof next, 0);
    }
    double mean = std::max(1e-9, seconds / calls);
    const auto request = m_everyone->allReduce(&mean, 1, kernels::Reduction::Sum);
    m_world.wait(*request);
    return mean / m_world.size();
}

void Measurement::tell(const std::string& what, double share)
{
    const double now = steadySeconds();
    if (m_world.rank() != 0 || now - m_told < tellInterval)
        return;
    m_told = now;
    const nlohmann::ordered_json line{{"measuring", what}, {"done", share}};
    std::fprintf(m_out, "%s\n", line.dump().c_str());
    std::fflush(m_out);
}

} // namespace triaxis::rank
