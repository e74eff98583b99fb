#include "engine/simulate/play.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/simulate/play_checks.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace triaxis
{
namespace
{

constexpr double never = -1;
constexpr std::ptrdiff_t nothing = -1;

/// Walks every stage as far as its inputs are there; a stage that has to wait is taken up again by
/// the step that makes what it waits for, so that each step is looked at twice at most.
class Player
{
public:
    Player(const ComputeProgram& program, const StageCosts& costs)
        : m_program(program), m_costs(costs), m_positions(virtualStages(program)),
          m_count(std::ptrdiff_t(program.replicas) * m_positions * program.microbatches),
          m_ends(std::size_t(2 * m_count), never),
          m_home(std::size_t(program.replicas) * m_positions), m_next(program.stages, 0),
          m_waits(program.stages, nothing), m_free(program.stages, 0.0), m_busy(program.stages, 0.0)
    {
        for (int stage = 0; stage < program.stages; ++stage)
            for (int chunk = 0; chunk < program.chunks; ++chunk)
                m_home[std::size_t(program.replica[stage][chunk] * m_positions +
                                   program.virtualStage[stage][chunk])] = stage;
    }

    Played run()
    {
        m_played.stages.resize(m_program.order.size());
        for (int stage = 0; stage < m_program.stages; ++stage) {
            m_played.stages[stage].reserve(m_program.order[stage].size());
            m_ready.push_back(stage);
        }
        while (!m_ready.empty()) {
            const int stage = m_ready.back();
            m_ready.pop_back();
            while (playNext(stage)) {
            }
        }
        checkWhole();
        measure();
        return std::move(m_played);
    }

private:
    /// Where the end of a forward, or of the gradient for an input, is kept.
    struct Place
    {
        int row; ///< replica and position
        std::ptrdiff_t forward;
        std::ptrdiff_t gradient;
    };

    Place placeOf(int stage, const ComputeStep& step) const
    {
        const int row = m_program.replica[stage][step.chunk.value] * m_positions +
                        m_program.virtualStage[stage][step.chunk.value];
        const std::ptrdiff_t forward =
            std::ptrdiff_t(row) * m_program.microbatches + step.microbatch.value;
        return {row, forward, forward + m_count};
    }

    bool isFirst(const Place& place) const { return place.row % m_positions == 0; }
    bool isLast(const Place& place) const { return (place.row + 1) % m_positions == 0; }

    /// Takes the input into `begin`; false, and the stage waits for it, where it is not there yet.
    bool take(int stage, std::ptrdiff_t input, int from, double& begin)
    {
        const double end = m_ends[std::size_t(input)];
        if (end == never) {
            m_waits[stage] = input;
            return false;
        }
        begin = std::max(begin, from == stage ? end : end + m_costs.transfer);
        return true;
    }

    bool takeInputs(int stage, const ComputeStep& step, double& begin)
    {
        const Place place = placeOf(stage, step);
        if (step.kind == Kind::Forward)
            return isFirst(place) || take(stage, place.forward - m_program.microbatches,
                                          m_home[place.row - 1], begin);
        if (step.kind == Kind::BackwardWeight)
            return take(stage, place.gradient, stage, begin);
        if (!take(stage, place.forward, stage, begin))
            return false;
        return isLast(place) ||
               take(stage, place.gradient + m_program.microbatches, m_home[place.row + 1], begin);
    }

    double secondsOf(int stage, const ComputeStep& step) const
    {
        const std::size_t position = std::size_t(m_program.virtualStage[stage][step.chunk.value]);
        if (step.kind == Kind::Forward)
            return m_costs.forward[position];
        if (step.kind == Kind::BackwardInput)
            return m_costs.input[position];
        if (step.kind == Kind::BackwardWeight)
            return m_costs.weight[position];
        return m_costs.input[position] + m_costs.weight[position];
    }

    bool playNext(int stage)
    {
        const std::vector<ComputeStep>& order = m_program.order[stage];
        const std::size_t at = m_next[stage];
        if (at >= order.size())
            return false;
        const bool pair = order[at].withNext;
        double begin = m_free[stage];
        if (!takeInputs(stage, order[at], begin) ||
            (pair && !takeInputs(stage, partnerOf(m_program, stage, at), begin)))
            return false;
        double seconds = secondsOf(stage, order[at]);
        if (pair) {
            const double other = secondsOf(stage, order[at + 1]);
            seconds = seconds + other - m_costs.overlapGain * std::min(seconds, other);
        }
        m_free[stage] = begin + seconds;
        m_busy[stage] += seconds;
        m_next[stage] = at + (pair ? 2 : 1);
        for (std::size_t i = at; i < m_next[stage]; ++i) {
            m_played.stages[stage].push_back({order[i], begin, m_free[stage]});
            finish(stage, order[i]);
        }
        return true;
    }

    void finish(int stage, const ComputeStep& step)
    {
        if (step.kind == Kind::BackwardWeight)
            return;
        const Place place = placeOf(stage, step);
        const bool forward = step.kind == Kind::Forward;
        m_ends[std::size_t(forward ? place.forward : place.gradient)] = m_free[stage];
        if (forward ? isLast(place) : isFirst(place))
            return;
        const int consumer = m_home[std::size_t(place.row + (forward ? 1 : -1))];
        if (consumer != stage && m_waits[consumer] == (forward ? place.forward : place.gradient)) {
            m_waits[consumer] = nothing;
            m_ready.push_back(consumer);
        }
    }

    void checkWhole() const
    {
        for (int stage = 0; stage < m_program.stages; ++stage)
            if (m_next[stage] != m_program.order[stage].size())
                refuseStuck(m_program, stage, m_program.order[stage][m_next[stage]]);
    }

    void measure()
    {
        for (const std::vector<ComputeStep>& order : m_program.order)
            m_played.peakLive.push_back(peakLiveOf(m_program, order));
        measurePlayed(m_played, m_busy);
    }

    const ComputeProgram& m_program;
    const StageCosts& m_costs;
    int m_positions;
    std::ptrdiff_t m_count;
    std::vector<double> m_ends; ///< forwards, then gradients: [replica][position][microbatch]
    std::vector<int> m_home;    ///< [replica][position] stage
    std::vector<std::size_t> m_next;
    std::vector<std::ptrdiff_t> m_waits; ///< what a stage waits for
    std::vector<double> m_free;
    std::vector<double> m_busy;
    std::vector<int> m_ready;
    Played m_played;
};

} // namespace

StageCosts evenCosts(int stages, int virtualStages, double forward, double input, double weight)
{
    if (stages < 1 || virtualStages < 1)
        throw Error("no costs for this pipeline",
                    std::to_string(stages) + " stages of " + std::to_string(virtualStages) +
                        " virtual stages",
                    "use at least one of each");
    for (const double seconds : {forward, input, weight})
        if (!(seconds >= 0) || !std::isfinite(seconds))
            throw Error("no costs for this pipeline", "a time of " + std::to_string(seconds),
                        "give seconds, 0 or more");
    const std::size_t positions = std::size_t(stages) * virtualStages;
    StageCosts costs;
    costs.forward.assign(positions, forward / virtualStages);
    costs.input.assign(positions, input / virtualStages);
    costs.weight.assign(positions, weight / virtualStages);
    return costs;
}

Played play(const ComputeProgram& program, const StageCosts& costs)
{
    checkShape(program);
    checkCosts(costs, virtualStages(program));
    return Player(program, costs).run();
}

double meanIdleShare(const Played& played)
{
    double idle = 0;
    for (const double seconds : played.idle)
        idle += seconds;
    return played.makespan > 0 ? idle / (played.makespan * double(played.idle.size())) : 0;
}

} // namespace triaxis
