#pragma once

#include "engine/cost/machine_calibration.h"
#include "kernels/communicator.h"
#include "kernels/device.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace triaxis::rank
{

/// How long the measurements of one point last.
struct MeasurementPace
{
    double secondsOfPoint = 3e-3; ///< about, for short calls
    int leastCalls = 3;
    bool coarse = false;                                   ///< fewer points
    double most = std::numeric_limits<double>::infinity(); ///< seconds of the whole job, about
};

/// Operands and clock of the measurements of one job of ranks.
class Measurement
{
public:
    Measurement(kernels::World& world, kernels::Device& device, int threads,
                const MeasurementPace& pace, std::FILE* out);

    kernels::World& world() { return m_world; }
    kernels::Device& device() { return m_device; }
    kernels::Stream& stream() { return *m_stream; }
    int threads() const { return m_threads; }
    const MeasurementPace& pace() const { return m_pace; }
    Occupancy under() const { return {m_threads, m_world.size()}; }
    MachineCalibration& result() { return m_result; }

    /// Seconds of a call, of several the one that a quarter of them does not exceed; mean over the
    /// ranks, which all call at the same time. Collective.
    double secondsOf(const std::function<void()>& call, int leastCalls = 0);
    /// Mean over the ranks of what a quarter of the values of each does not exceed. Collective.
    double lowerQuartileOf(std::vector<double> seconds);
    /// Mean seconds of a call over so many in a row that they take about `atLeast`, and not much
    /// more than that however slow they become, all ranks together: where ranks share cores, or
    /// wait for each other. Collective.
    double meanSecondsOf(const std::function<void()>& call, double atLeast);

    /// The time of the job is over: what is still to be measured takes as few calls as it can.
    /// Every rank looks at its own clock …
    bool isLate() const;
    /// … or all follow that of rank 0. Collective.
    bool areLate();
    /// A point was measured with fewer calls than wanted.
    void countShortened() { ++m_result.jobs.front().shortened; }

    /// Operands as an operation finds them: what has just been made, by all threads together, lies
    /// in the nearest caches of each (secondsOf makes it anew before every call) …
    float* warm(int operand, std::int64_t count);
    /// … and what was made long ago does not: each call gives another place in a large block.
    float* cold(int operand, std::int64_t count);
    static constexpr int operands = 4;
    static constexpr std::int64_t largestOperand = std::int64_t(4) << 20; ///< floats

    /// Rank 0 tells how far it is, at most a few times a second.
    void tell(const std::string& what, double share);

private:
    void makeWarm();

    kernels::World& m_world;
    kernels::Device& m_device;
    int m_threads;
    MeasurementPace m_pace;
    std::FILE* m_out;
    std::unique_ptr<kernels::Stream> m_stream;
    std::unique_ptr<kernels::Communicator> m_everyone;
    kernels::Buffer m_blocks[operands];
    std::int64_t m_next[operands] = {};
    std::int64_t m_warm[operands] = {}; ///< floats that calls have asked for
    double m_told = -1;
    double m_end; ///< of the job, on the steady clock
    MachineCalibration m_result;
};

/// Seconds on a clock that only grows.
double steadySeconds();

/// Each adds its samples to the result. Collective.
void measureProducts(Measurement& measurement);
void measureOperations(Measurement& measurement);
void measureAttention(Measurement& measurement);
void measureRuntime(Measurement& measurement); ///< tokens, and what an instruction takes by itself
void measureSharing(Measurement& measurement); ///< two operations, where ranks share cores
void measureMessages(Measurement& measurement);
void measureWakes(Measurement& measurement);   ///< messages to ranks that have waited for long
void measureLayers(Measurement& measurement);  ///< all operations of layers, one after the other
void measureStreams(Measurement& measurement); ///< operands from memory beyond the caches
void measurePace(Measurement& measurement);    ///< of every core while all of them work

} // namespace triaxis::rank
