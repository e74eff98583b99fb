#pragma once

#include "engine/simulate/play.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace triaxis
{

/// Room that a replay works in. Kept between calls, so that none of them allocates; of one thread
/// at a time.
struct ReplayScratch
{
    std::vector<double> durations; ///< by kind of step and virtual stage
    std::vector<double> ends;      ///< of every step
};

/// A compute program compiled once and replayed for ever new durations: in-order stages make every
/// step a longest path over what its stage did before and the one step of another stage that it
/// consumes (what it consumes of its own stage comes earlier in the order anyway). Results are
/// those of play() up to rounding (1e-12 relative). Compiling takes a few times as long as a
/// replay; a replay takes about 1 ns a step. Immutable: any number of threads may replay one.
class CompiledSchedule
{
public:
    /// Throws Error for tables that do not fit, a pair that is no forward and backward, or an order
    /// that never gets to a step.
    explicit CompiledSchedule(const ComputeProgram& program);

    /// Seconds from the first begin to the last end. Throws Error for costs of another size,
    /// negative or not finite.
    double makespan(const StageCosts& costs, ReplayScratch& scratch) const;
    /// The whole result of play().
    Played play(const StageCosts& costs, ReplayScratch& scratch) const;

    int stages() const { return int(m_peakLive.size()); }
    int positions() const { return m_positions; } ///< virtual stages of one replica
    std::size_t steps() const { return m_steps; }
    /// [P] most activations alive at once, in units of one stage's whole share; whatever the costs.
    const std::vector<double>& peakLive() const { return m_peakLive; }

private:
    /// One step, or an overlapped pair. Indices into `ends`, of which the first two are constants.
    struct Node
    {
        std::int32_t previous = 0; ///< the stage's step before it
        std::int32_t input = 0;    ///< the step of another stage that it consumes
        std::int32_t second = 0;   ///< the same of the second step of a pair
        std::int32_t duration = 0; ///< index into `durations`
    };
    struct PairDuration
    {
        std::int32_t first = 0;
        std::int32_t second = 0;
    };
    friend class ScheduleCompiler;

    void setDurations(const StageCosts& costs, ReplayScratch& scratch) const;
    void run(const StageCosts& costs, ReplayScratch& scratch) const;

    int m_positions = 1;
    std::size_t m_steps = 0;
    std::vector<Node> m_nodes; ///< in an order in which each comes after those it depends on
    std::vector<PairDuration> m_pairs; ///< durations behind those of single steps
    std::vector<std::int32_t> m_last;  ///< [P] a stage's last step
    std::vector<double> m_peakLive;
    /// [P][step of the order] its node, for play().
    std::vector<std::vector<std::int32_t>> m_nodeOf;
    std::vector<std::vector<ComputeStep>> m_order;
};

/// Makespan of 1F1B without a program: F and B = I + W of each stage [P], seconds of a hop. Any
/// P ≥ 1, M ≥ 1; the costs are not checked. 2.4 µs for P = 8, M = 64 (a compiled one takes 0.9).
double makespanOneForwardOneBackward(int stages, int microbatches, const double* forward,
                                     const double* backward, double hop, ReplayScratch& scratch);
/// The same of GPipe.
double makespanGpipe(int stages, int microbatches, const double* forward, const double* backward,
                     double hop, ReplayScratch& scratch);

} // namespace triaxis
