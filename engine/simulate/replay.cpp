#include "engine/simulate/replay.h"

#include "engine/core/error.h"
#include "engine/schedule/compute_program.h"
#include "engine/simulate/play_checks.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>

namespace triaxis
{
namespace
{

// Indices into `ends` that stand for no step: a stage that is free from the start, and an input
// that is there whenever it is asked for.
constexpr std::int32_t freeFromStart = 0;
constexpr std::int32_t noInput = 1;
constexpr std::int32_t constants = 2;

// Durations of single steps: forward, full backward, backward for the input, for the weights.
constexpr int singleKinds = 4;

int kindIndex(Kind kind)
{
    if (kind == Kind::Forward)
        return 0;
    if (kind == Kind::Backward)
        return 1;
    return kind == Kind::BackwardInput ? 2 : 3;
}

} // namespace

/// Lays the steps down one by one, stage after stage in turn, so that neighbours in the flat order
/// seldom depend on each other and a processor can work on several at once.
class ScheduleCompiler
{
public:
    ScheduleCompiler(const ComputeProgram& program, CompiledSchedule& compiled)
        : m_program(program), m_compiled(compiled), m_positions(virtualStages(program)),
          m_made(2 * std::size_t(program.replicas) * std::size_t(m_positions) *
                     std::size_t(program.microbatches),
                 notYet),
          m_home(std::size_t(program.replicas) * std::size_t(m_positions)),
          m_next(std::size_t(program.stages), 0), m_waitsFor(std::size_t(program.stages), nothing)
    {
        for (int stage = 0; stage < program.stages; ++stage)
            for (int chunk = 0; chunk < program.chunks; ++chunk)
                m_home[std::size_t(rowOf(stage, Chunk(chunk)))] = stage;
    }

    void run()
    {
        m_compiled.m_positions = m_positions;
        m_compiled.m_last.assign(std::size_t(m_program.stages), freeFromStart);
        m_compiled.m_nodeOf.resize(std::size_t(m_program.stages));
        m_compiled.m_order = m_program.order;
        for (int stage = 0; stage < m_program.stages; ++stage) {
            m_compiled.m_steps += m_program.order[std::size_t(stage)].size();
            m_compiled.m_peakLive.push_back(
                peakLiveOf(m_program, m_program.order[std::size_t(stage)]));
            m_ready.push_back(stage);
        }
        m_compiled.m_nodes.reserve(m_compiled.m_steps);
        while (!m_ready.empty()) {
            const int stage = m_ready.front();
            m_ready.pop_front();
            if (placeNext(stage))
                m_ready.push_back(stage);
        }
        for (int stage = 0; stage < m_program.stages; ++stage)
            if (m_next[std::size_t(stage)] != m_program.order[std::size_t(stage)].size())
                refuseStuck(m_program, stage,
                            m_program.order[std::size_t(stage)][m_next[std::size_t(stage)]]);
    }

private:
    static constexpr std::int32_t notYet = -1;
    static constexpr std::size_t nothing = std::numeric_limits<std::size_t>::max();

    int rowOf(int stage, Chunk chunk) const
    {
        const auto s = std::size_t(stage);
        const auto c = std::size_t(chunk.value);
        return m_program.replica[s][c] * m_positions + m_program.virtualStage[s][c];
    }

    /// Where the node that makes an activation (else a gradient) of a row is noted.
    std::size_t madeBy(bool forward, int row, Microbatch microbatch) const
    {
        return (forward ? 0 : m_made.size() / 2) +
               std::size_t(row) * std::size_t(m_program.microbatches) +
               std::size_t(microbatch.value);
    }

    /// False, and the stage waits for it, where the node is not there yet.
    bool take(int stage, std::size_t made, int from, std::int32_t& input)
    {
        if (m_made[made] == notYet) {
            m_waitsFor[std::size_t(stage)] = made;
            return false;
        }
        input = from == stage ? noInput : m_made[made];
        return true;
    }

    bool takeInputs(int stage, const ComputeStep& step, std::int32_t& input)
    {
        const int row = rowOf(stage, step.chunk);
        const int position = row % m_positions;
        input = noInput;
        std::int32_t own = noInput;
        switch (step.kind) {
        case Kind::Forward:
            return position == 0 || take(stage, madeBy(true, row - 1, step.microbatch),
                                         m_home[std::size_t(row - 1)], input);
        case Kind::BackwardWeight:
            return take(stage, madeBy(false, row, step.microbatch), stage, own);
        default:
            return take(stage, madeBy(true, row, step.microbatch), stage, own) &&
                   (position == m_positions - 1 ||
                    take(stage, madeBy(false, row + 1, step.microbatch),
                         m_home[std::size_t(row + 1)], input));
        }
    }

    std::int32_t durationOf(int stage, const ComputeStep& step) const
    {
        return kindIndex(step.kind) * m_positions + rowOf(stage, step.chunk) % m_positions;
    }

    std::int32_t pairDuration(std::int32_t first, std::int32_t second)
    {
        const auto next = std::int32_t(singleKinds * m_positions + int(m_compiled.m_pairs.size()));
        const auto [found, isNew] = m_pairs.try_emplace({first, second}, next);
        if (isNew)
            m_compiled.m_pairs.push_back({first, second});
        return found->second;
    }

    bool placeNext(int stage)
    {
        const std::vector<ComputeStep>& order = m_program.order[std::size_t(stage)];
        const std::size_t at = m_next[std::size_t(stage)];
        if (at >= order.size())
            return false;
        const bool pair = order[at].withNext;
        CompiledSchedule::Node node;
        node.second = noInput;
        if (!takeInputs(stage, order[at], node.input) ||
            (pair && !takeInputs(stage, partnerOf(m_program, stage, at), node.second)))
            return false;
        node.previous = m_compiled.m_last[std::size_t(stage)];
        node.duration = durationOf(stage, order[at]);
        if (pair)
            node.duration = pairDuration(node.duration, durationOf(stage, order[at + 1]));
        const auto index = std::int32_t(m_compiled.m_nodes.size()) + constants;
        m_compiled.m_nodes.push_back(node);
        m_compiled.m_last[std::size_t(stage)] = index;
        for (std::size_t i = at; i < at + (pair ? 2 : 1); ++i) {
            m_compiled.m_nodeOf[std::size_t(stage)].push_back(index);
            finish(stage, order[i], index);
        }
        m_next[std::size_t(stage)] = at + (pair ? 2 : 1);
        return true;
    }

    void finish(int stage, const ComputeStep& step, std::int32_t index)
    {
        if (step.kind == Kind::BackwardWeight)
            return;
        const int row = rowOf(stage, step.chunk);
        const bool forward = step.kind == Kind::Forward;
        const std::size_t made = madeBy(forward, row, step.microbatch);
        m_made[made] = index;
        if (forward ? (row + 1) % m_positions == 0 : row % m_positions == 0)
            return;
        const int consumer = m_home[std::size_t(row + (forward ? 1 : -1))];
        if (consumer != stage && m_waitsFor[std::size_t(consumer)] == made) {
            m_waitsFor[std::size_t(consumer)] = nothing;
            m_ready.push_back(consumer);
        }
    }

    const ComputeProgram& m_program;
    CompiledSchedule& m_compiled;
    int m_positions;
    std::vector<std::int32_t> m_made; ///< activations, then gradients: [replica][position][m]
    std::vector<int> m_home;          ///< [replica][position] stage
    std::vector<std::size_t> m_next;
    std::vector<std::size_t> m_waitsFor; ///< [P]
    std::deque<int> m_ready;
    std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> m_pairs;
};

CompiledSchedule::CompiledSchedule(const ComputeProgram& program)
{
    checkShape(program);
    std::size_t steps = 0;
    for (const std::vector<ComputeStep>& order : program.order)
        steps += order.size();
    constexpr std::size_t most = std::numeric_limits<std::int32_t>::max() / 2;
    if (steps > most)
        throw Error("cannot play the schedule \"" + program.schedule + "\"",
                    std::to_string(steps) + " steps", "use fewer microbatches");
    ScheduleCompiler(program, *this).run();
}

void CompiledSchedule::setDurations(const StageCosts& costs, ReplayScratch& scratch) const
{
    checkCosts(costs, m_positions);
    const auto positions = std::size_t(m_positions);
    scratch.durations.resize(singleKinds * positions + m_pairs.size());
    double* durations = scratch.durations.data();
    for (std::size_t i = 0; i < positions; ++i) {
        durations[i] = costs.forward[i];
        durations[positions + i] = costs.input[i] + costs.weight[i];
        durations[2 * positions + i] = costs.input[i];
        durations[3 * positions + i] = costs.weight[i];
    }
    for (std::size_t i = 0; i < m_pairs.size(); ++i) {
        const double first = durations[m_pairs[i].first];
        const double second = durations[m_pairs[i].second];
        durations[singleKinds * positions + i] =
            first + second - costs.overlapGain * std::min(first, second);
    }
}

void CompiledSchedule::run(const StageCosts& costs, ReplayScratch& scratch) const
{
    setDurations(costs, scratch);
    scratch.ends.resize(m_nodes.size() + constants);
    double* ends = scratch.ends.data();
    ends[freeFromStart] = 0;
    ends[noInput] = -std::numeric_limits<double>::infinity();
    const double* durations = scratch.durations.data();
    const double hop = costs.transfer;
    double* end = ends + constants;
    if (m_pairs.empty()) {
        for (const Node& node : m_nodes)
            *end++ =
                std::max(ends[node.previous], ends[node.input] + hop) + durations[node.duration];
        return;
    }
    for (const Node& node : m_nodes)
        *end++ =
            std::max(ends[node.previous], std::max(ends[node.input], ends[node.second]) + hop) +
            durations[node.duration];
}

double CompiledSchedule::makespan(const StageCosts& costs, ReplayScratch& scratch) const
{
    run(costs, scratch);
    double last = 0;
    for (const std::int32_t index : m_last)
        last = std::max(last, scratch.ends[std::size_t(index)]);
    return last;
}

Played CompiledSchedule::play(const StageCosts& costs, ReplayScratch& scratch) const
{
    run(costs, scratch);
    Played played;
    played.stages.resize(m_order.size());
    std::vector<double> busy(m_order.size(), 0);
    for (std::size_t stage = 0; stage < m_order.size(); ++stage) {
        std::int32_t last = noInput;
        for (std::size_t i = 0; i < m_order[stage].size(); ++i) {
            const std::int32_t index = m_nodeOf[stage][i];
            const Node& node = m_nodes[std::size_t(index - constants)];
            const double end = scratch.ends[std::size_t(index)];
            const double begin = std::max(scratch.ends[std::size_t(node.previous)],
                                          std::max(scratch.ends[std::size_t(node.input)],
                                                   scratch.ends[std::size_t(node.second)]) +
                                              costs.transfer);
            played.stages[stage].push_back({m_order[stage][i], begin, end});
            if (index != last)
                busy[stage] += scratch.durations[std::size_t(node.duration)];
            last = index;
        }
    }
    played.peakLive = m_peakLive;
    measurePlayed(played, busy);
    return played;
}

} // namespace triaxis
