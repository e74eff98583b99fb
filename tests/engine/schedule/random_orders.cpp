#include "random_orders.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace triaxis::tests
{
namespace
{

int below(std::mt19937& random, int count)
{
    return int(random() % unsigned(count));
}

/// Every virtual stage of every replica on a chunk of its own, anywhere.
ComputeProgram randomPlacement(std::mt19937& random)
{
    ComputeProgram program;
    program.schedule = "random";
    program.replicas = 1 + below(random, 2);
    program.stages = 1 + below(random, 7);
    const int perReplica = 1 + below(random, program.replicas == 1 ? 3 : 1);
    program.chunks = perReplica * program.replicas;
    program.microbatches = program.replicas + below(random, 5);
    std::vector<int> places(std::size_t(program.stages) * program.chunks);
    std::iota(places.begin(), places.end(), 0);
    std::shuffle(places.begin(), places.end(), random);
    const int positions = program.stages * perReplica;
    for (int stage = 0; stage < program.stages; ++stage) {
        program.virtualStage.emplace_back();
        program.replica.emplace_back();
        for (int chunk = 0; chunk < program.chunks; ++chunk) {
            const int place = places[std::size_t(stage) * program.chunks + chunk];
            program.virtualStage.back().push_back(place % positions);
            program.replica.back().push_back(place / positions);
        }
    }
    program.order.resize(program.stages);
    return program;
}

/// What is left to compute, and what of it can be.
class Remaining
{
public:
    Remaining(const ComputeProgram& program, std::mt19937& random)
        : m_program(program), m_last(program.stages * program.chunks / program.replicas - 1)
    {
        for (int m = 0; m < program.microbatches; ++m)
            m_owner.push_back(m % program.replicas);
        for (int stage = 0; stage < program.stages; ++stage)
            for (int chunk = 0; chunk < program.chunks; ++chunk)
                for (int m = 0; m < program.microbatches; ++m)
                    if (m_owner[m] == program.replica[stage][chunk])
                        addSteps(stage, chunk, m, below(random, 2) == 0);
    }

    bool empty() const { return m_steps.empty(); }

    /// Steps of a stage whose inputs are there.
    std::vector<ComputeStep> readyOn(int stage) const
    {
        std::vector<ComputeStep> ready;
        for (const auto& [owner, step] : m_steps)
            if (owner == stage && isReady(stage, step))
                ready.push_back(step);
        return ready;
    }

    void take(int stage, const ComputeStep& step)
    {
        m_done.insert({gradient(step.kind), step.kind == Kind::BackwardWeight,
                       m_program.virtualStage[stage][step.chunk.value], step.microbatch.value});
        m_steps.erase(std::find_if(m_steps.begin(), m_steps.end(), [&](const auto& entry) {
            return entry.first == stage && entry.second == step;
        }));
    }

private:
    static bool gradient(Kind kind) { return kind != Kind::Forward; }

    void addSteps(int stage, int chunk, int m, bool split)
    {
        m_steps.push_back({stage, {Kind::Forward, Chunk(chunk), Microbatch(m)}});
        if (!split) {
            m_steps.push_back({stage, {Kind::Backward, Chunk(chunk), Microbatch(m)}});
            return;
        }
        m_steps.push_back({stage, {Kind::BackwardInput, Chunk(chunk), Microbatch(m)}});
        m_steps.push_back({stage, {Kind::BackwardWeight, Chunk(chunk), Microbatch(m)}});
    }

    bool isReady(int stage, const ComputeStep& step) const
    {
        const int position = m_program.virtualStage[stage][step.chunk.value];
        const int m = step.microbatch.value;
        const auto has = [&](bool backward, int where) {
            return m_done.count({backward, false, where, m}) > 0;
        };
        if (step.kind == Kind::Forward)
            return position == 0 || has(false, position - 1);
        if (step.kind == Kind::BackwardWeight)
            return has(true, position);
        return has(false, position) && (position == m_last || has(true, position + 1));
    }

    const ComputeProgram& m_program;
    int m_last = 0;
    std::vector<int> m_owner; ///< [microbatch]
    std::vector<std::pair<int, ComputeStep>> m_steps;
    /// (backward, for the weights, virtual stage, microbatch)
    std::set<std::tuple<bool, bool, int, int>> m_done;
};

/// A ready step that overlaps with `step`, now and then.
const ComputeStep* partnerOf(const ComputeStep& step, const std::vector<ComputeStep>& ready,
                             std::mt19937& random)
{
    if (below(random, 2) == 0 || (step.kind != Kind::Forward && step.kind != Kind::Backward))
        return nullptr;
    const Kind wanted = step.kind == Kind::Forward ? Kind::Backward : Kind::Forward;
    const auto found = std::find_if(ready.begin(), ready.end(),
                                    [&](const ComputeStep& other) { return other.kind == wanted; });
    return found == ready.end() ? nullptr : &*found;
}

} // namespace

ComputeProgram randomOrder(std::mt19937& random)
{
    ComputeProgram program = randomPlacement(random);
    Remaining remaining(program, random);
    while (!remaining.empty()) {
        const int stage = below(random, program.stages);
        const std::vector<ComputeStep> ready = remaining.readyOn(stage);
        if (ready.empty())
            continue;
        ComputeStep step = ready[std::size_t(below(random, int(ready.size())))];
        const ComputeStep* partner = partnerOf(step, ready, random);
        remaining.take(stage, step);
        step.withNext = partner != nullptr;
        program.order[stage].push_back(step);
        if (partner) {
            remaining.take(stage, *partner);
            program.order[stage].push_back(*partner);
        }
    }
    return program;
}

} // namespace triaxis::tests
