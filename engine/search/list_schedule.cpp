#include "engine/search/list_schedule.h"

#include <algorithm>
#include <array>
#include <limits>

namespace triaxis
{
namespace
{

constexpr double never = std::numeric_limits<double>::infinity();

struct Choice
{
    double begin = never;
    ComputeStep step;
};

class Lister
{
public:
    Lister(int stages, int microbatches, const StageCosts& costs, const ListPolicy& policy)
        : m_program(listPlacement(stages, microbatches, policy)), m_costs(costs), m_policy(policy),
          m_positions(stages * m_program.chunks), m_count(microbatches),
          m_forward(m_positions, std::vector<double>(std::size_t(microbatches), never)),
          m_gradient(m_forward), m_nextForward(m_positions, 0), m_nextInput(m_positions, 0),
          m_nextWeight(m_positions, 0), m_free(stages, 0.0), m_alive(stages, 0)
    {
    }

    std::optional<ComputeProgram> run()
    {
        const std::size_t steps = std::size_t(3) * m_positions * m_count;
        for (std::size_t done = 0; done < steps; ++done)
            if (!placeEarliest())
                return std::nullopt;
        return m_program;
    }

private:
    int stageOf(int position) const
    {
        const int stages = m_program.stages;
        return position < stages ? position : 2 * stages - 1 - position;
    }

    double hop(int from, int to) const
    {
        return stageOf(from) == stageOf(to) ? 0 : m_costs.transfer;
    }

    double forwardReady(int position) const
    {
        const int microbatch = m_nextForward[position];
        if (microbatch >= m_count)
            return never;
        // One place for each later chunk stays free: the microbatch ahead of all others can always
        // go on.
        const int stage = stageOf(position);
        const int later = m_program.chunks - 1 - position / m_program.stages;
        if (m_alive[stage] + 1 > m_policy.chunksAlive[stage] - later)
            return never;
        return position == 0 ? 0
                             : m_forward[position - 1][microbatch] + hop(position - 1, position);
    }

    double inputReady(int position) const
    {
        const int microbatch = m_nextInput[position];
        if (microbatch >= m_count)
            return never;
        const double own = m_forward[position][microbatch];
        if (position == m_positions - 1)
            return own;
        return std::max(own, m_gradient[position + 1][microbatch] + hop(position + 1, position));
    }

    double weightReady(int position) const
    {
        const int microbatch = m_nextWeight[position];
        return microbatch < m_count ? m_gradient[position][microbatch] : never;
    }

    /// The step of a stage that should come next: of those that can begin first, the most urgent; a
    /// weights' part only where it is over before anything else could begin, or nothing else can.
    Choice choose(int stage) const
    {
        Choice best;
        Choice weight;
        for (int chunk = m_program.chunks - 1; chunk >= 0; --chunk) {
            const int position = m_program.virtualStage[stage][chunk];
            const Choice forward{
                std::max(m_free[stage], forwardReady(position)),
                {Kind::Forward, Chunk(chunk), Microbatch(m_nextForward[position])}};
            const Choice input{
                std::max(m_free[stage], inputReady(position)),
                {Kind::BackwardInput, Chunk(chunk), Microbatch(m_nextInput[position])}};
            for (const Choice& choice :
                 m_policy.forwardFirst ? std::array{forward, input} : std::array{input, forward})
                if (choice.begin < best.begin)
                    best = choice;
            const Choice part{
                std::max(m_free[stage], weightReady(position)),
                {Kind::BackwardWeight, Chunk(chunk), Microbatch(m_nextWeight[position])}};
            if (part.begin < weight.begin)
                weight = part;
        }
        return weight.begin < best.begin ? weight : best;
    }

    bool placeEarliest()
    {
        Choice earliest;
        int at = -1;
        for (int stage = 0; stage < m_program.stages; ++stage) {
            const Choice choice = choose(stage);
            if (choice.begin < earliest.begin) {
                earliest = choice;
                at = stage;
            }
        }
        if (at < 0)
            return false;
        place(at, earliest);
        return true;
    }

    void place(int stage, const Choice& choice)
    {
        const int position = m_program.virtualStage[stage][choice.step.chunk.value];
        const int microbatch = choice.step.microbatch.value;
        m_program.order[stage].push_back(choice.step);
        if (choice.step.kind == Kind::Forward) {
            m_free[stage] = choice.begin + m_costs.forward[position];
            m_forward[position][microbatch] = m_free[stage];
            ++m_nextForward[position];
            ++m_alive[stage];
        } else if (choice.step.kind == Kind::BackwardInput) {
            m_free[stage] = choice.begin + m_costs.input[position];
            m_gradient[position][microbatch] = m_free[stage];
            ++m_nextInput[position];
        } else {
            m_free[stage] = choice.begin + m_costs.weight[position];
            ++m_nextWeight[position];
            --m_alive[stage];
        }
    }

    ComputeProgram m_program;
    const StageCosts& m_costs;
    const ListPolicy& m_policy;
    int m_positions;
    int m_count;
    std::vector<std::vector<double>> m_forward, m_gradient; ///< ends [position][microbatch]
    std::vector<int> m_nextForward, m_nextInput, m_nextWeight;
    std::vector<double> m_free;
    std::vector<int> m_alive;
};

} // namespace

ComputeProgram listPlacement(int stages, int microbatches, const ListPolicy& policy)
{
    ComputeProgram program;
    program.schedule = "auto";
    program.stages = stages;
    program.microbatches = microbatches;
    program.chunks = policy.shape ? 2 : 1;
    program.order.resize(stages);
    program.replica.assign(stages, std::vector<int>(std::size_t(program.chunks), 0));
    for (int stage = 0; stage < stages; ++stage)
        program.virtualStage.push_back(policy.shape
                                           ? std::vector<int>{stage, 2 * stages - 1 - stage}
                                           : std::vector<int>{stage});
    return program;
}

std::optional<ComputeProgram> listSchedule(int stages, int microbatches, const StageCosts& costs,
                                           const ListPolicy& policy)
{
    return Lister(stages, microbatches, costs, policy).run();
}

} // namespace triaxis
