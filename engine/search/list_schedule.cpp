#include "engine/search/list_schedule.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double rounding = 1e-9;

/// The steps of one kind of one virtual stage, done in the order of the microbatches.
struct Row
{
    std::vector<double> end; ///< [M] of those done
    int done() const { return int(end.size()); }
};

struct Choice
{
    Kind kind = Kind::Forward;
    int chunk = -1;
    double begin = never;
};

class Scheduler
{
public:
    Scheduler(const ComputeProgram& placement, const StageCosts& costs,
              const std::vector<StagePriorities>& priorities)
        : m_program(placement), m_costs(costs), m_priorities(priorities),
          m_last(int(costs.forward.size()) - 1), m_stageOf(costs.forward.size()),
          m_forward(costs.forward.size()), m_input(costs.forward.size()),
          m_weight(costs.forward.size()), m_free(std::size_t(placement.stages), 0.0),
          m_live(std::size_t(placement.stages), 0), m_choice(std::size_t(placement.stages))
    {
        for (int stage = 0; stage < placement.stages; ++stage)
            for (const int position : placement.virtualStage[std::size_t(stage)])
                m_stageOf[std::size_t(position)] = stage;
        m_program.order.assign(std::size_t(placement.stages), {});
    }

    std::optional<ComputeProgram> run()
    {
        for (int stage = 0; stage < m_program.stages; ++stage)
            m_choice[std::size_t(stage)] = choose(stage);
        const std::size_t steps =
            3 * m_costs.forward.size() * std::size_t(m_program.microbatches);
        for (std::size_t i = 0; i < steps; ++i) {
            const auto first = std::min_element(
                m_choice.begin(), m_choice.end(),
                [](const Choice& a, const Choice& b) { return a.begin < b.begin; });
            if (first->begin == never)
                return std::nullopt;
            commit(int(first - m_choice.begin()), *first);
        }
        return std::move(m_program);
    }

private:
    int position(int stage, int chunk) const
    {
        return m_program.virtualStage[std::size_t(stage)][std::size_t(chunk)];
    }
    double hop(int from, int to) const
    {
        return m_stageOf[std::size_t(from)] == m_stageOf[std::size_t(to)] ? 0 : m_costs.transfer;
    }
    /// When the next step of a row may begin, `never` if what it consumes has not been placed.
    double arrival(const Row& source, int microbatch, double way) const
    {
        return microbatch < source.done() ? source.end[std::size_t(microbatch)] + way : never;
    }

    double forwardReady(int at) const
    {
        const int next = m_forward[std::size_t(at)].done();
        if (next >= m_program.microbatches)
            return never;
        return at == 0 ? 0 : arrival(m_forward[std::size_t(at - 1)], next, hop(at - 1, at));
    }
    double inputReady(int at) const
    {
        const int next = m_input[std::size_t(at)].done();
        const double own = arrival(m_forward[std::size_t(at)], next, 0);
        if (at == m_last || own == never)
            return own;
        return std::max(own, arrival(m_input[std::size_t(at + 1)], next, hop(at + 1, at)));
    }

    /// A chunk leaves room for those of its stage that come after it in the model, so that they can go on.
    bool hasRoom(int stage, int at) const
    {
        int needed = m_live[std::size_t(stage)] + 1;
        for (const int other : m_program.virtualStage[std::size_t(stage)])
            needed += other > at ? 1 : 0;
        return needed <= m_priorities[std::size_t(stage)].window * m_program.chunks + rounding;
    }

    bool precedes(const StagePriorities& priorities, const Choice& a, int atA, const Choice& b, int atB) const
    {
        if (b.chunk < 0 || std::abs(a.begin - b.begin) > rounding * (1 + a.begin))
            return b.chunk < 0 || a.begin < b.begin;
        if (a.kind != b.kind)
            return (a.kind == Kind::Forward) == priorities.forwardsFirst;
        return a.kind == Kind::Forward ? (atA > atB) == priorities.deepFirst : atA > atB;
    }

    Choice choose(int stage) const
    {
        const StagePriorities& priorities = m_priorities[std::size_t(stage)];
        const double free = m_free[std::size_t(stage)];
        Choice best;
        int bestAt = 0;
        const auto offer = [&](Kind kind, int chunk, double ready) {
            if (ready == never)
                return;
            const Choice candidate{kind, chunk, std::max(free, ready)};
            const int at = position(stage, chunk);
            if (precedes(priorities, candidate, at, best, bestAt)) {
                best = candidate;
                bestAt = at;
            }
        };
        int weightChunk = -1;
        for (int chunk = 0; chunk < m_program.chunks; ++chunk) {
            const auto at = std::size_t(position(stage, chunk));
            offer(Kind::BackwardInput, chunk, inputReady(int(at)));
            if (hasRoom(stage, int(at)))
                offer(Kind::Forward, chunk, forwardReady(int(at)));
            const int pending = m_input[at].done() - m_weight[at].done();
            if (pending > 0 &&
                (weightChunk < 0 || m_input[at].end[std::size_t(m_weight[at].done())] <
                                        m_input[std::size_t(position(stage, weightChunk))]
                                            .end[std::size_t(m_weight[std::size_t(position(stage, weightChunk))].done())]))
                weightChunk = chunk;
        }
        if (weightChunk >= 0) {
            const double length = m_costs.weight[std::size_t(position(stage, weightChunk))];
            if (best.chunk < 0 || best.begin >= free + priorities.patience * length - rounding * (1 + free))
                return {Kind::BackwardWeight, weightChunk, free};
        }
        return best;
    }

    void commit(int stage, const Choice choice)
    {
        const int at = position(stage, choice.chunk);
        Row* row = nullptr;
        double length = 0;
        switch (choice.kind) {
        case Kind::Forward:
            row = &m_forward[std::size_t(at)];
            length = m_costs.forward[std::size_t(at)];
            ++m_live[std::size_t(stage)];
            break;
        case Kind::BackwardInput:
            row = &m_input[std::size_t(at)];
            length = m_costs.input[std::size_t(at)];
            break;
        default:
            row = &m_weight[std::size_t(at)];
            length = m_costs.weight[std::size_t(at)];
            --m_live[std::size_t(stage)];
            break;
        }
        m_program.order[std::size_t(stage)].push_back(
            {choice.kind, Chunk(choice.chunk), Microbatch(row->done())});
        const double end = choice.begin + length;
        row->end.push_back(end);
        m_free[std::size_t(stage)] = end;
        m_choice[std::size_t(stage)] = choose(stage);
        const int consumer = choice.kind == Kind::Forward ? at + 1 : at - 1;
        if (choice.kind != Kind::BackwardWeight && consumer >= 0 && consumer <= m_last) {
            const auto other = std::size_t(m_stageOf[std::size_t(consumer)]);
            m_choice[other] = choose(int(other));
        }
    }

    ComputeProgram m_program;
    const StageCosts& m_costs;
    const std::vector<StagePriorities>& m_priorities;
    int m_last;                  ///< last virtual stage
    std::vector<int> m_stageOf;  ///< [virtual stage]
    std::vector<Row> m_forward;  ///< [virtual stage]
    std::vector<Row> m_input;    ///< [virtual stage]
    std::vector<Row> m_weight;   ///< [virtual stage]
    std::vector<double> m_free;  ///< [stage] end of its last step
    std::vector<int> m_live;     ///< [stage] chunks' activations held
    std::vector<Choice> m_choice; ///< [stage] what it would do next
};

} // namespace

std::optional<ComputeProgram> listSchedule(const ComputeProgram& placement, const StageCosts& costs,
                                           const std::vector<StagePriorities>& priorities)
{
    return Scheduler(placement, costs, priorities).run();
}

} // namespace triaxis
