#include "engine/schedule/verifier_rules.h"

#include <algorithm>

namespace triaxis
{
namespace
{

/// Compute steps of one stage: where each stands in the list, −1 if nowhere.
struct Steps
{
    std::vector<int> forward;  ///< [chunk · M + microbatch]
    std::vector<int> backward; ///< full, or for the input
    std::vector<int> weight;   ///< full, or for the weights
};

/// Checks one stage after the other; keeps what it has seen to find what is missing at the end.
class OrderCheck
{
public:
    explicit OrderCheck(const ProgramIndex& index)
        : m_index(index), m_microbatches(index.program().microbatches), m_steps(index.stages())
    {
        const std::size_t entries = std::size_t(index.program().chunks) * m_microbatches;
        for (Steps& steps : m_steps) {
            steps.forward.assign(entries, -1);
            steps.backward.assign(entries, -1);
            steps.weight.assign(entries, -1);
        }
    }

    std::optional<Refusal> run()
    {
        for (int stage = 0; stage < m_index.stages(); ++stage)
            for (int position = 0; position < int(m_index.list(stage).size()); ++position)
                if (const std::string reason = check(stage, position); !reason.empty())
                    return refusal(m_index, stage, position, reason);
        return checkCoverage();
    }

private:
    std::size_t entry(InstructionId id) const
    {
        return std::size_t(id.chunk().value) * m_microbatches + id.microbatch().value;
    }

    std::string check(int stage, int position)
    {
        const Instruction& instruction = m_index.list(stage)[position];
        const InstructionId id = instruction.id;
        Steps& steps = m_steps[stage];
        switch (id.kind()) {
        case Kind::Forward:
            steps.forward[entry(id)] = position;
            return checkInput(stage, position, id, -1);
        case Kind::Backward:
        case Kind::BackwardInput:
            return checkBackward(stage, position, id, steps);
        case Kind::BackwardWeight:
            return checkWeight(position, id, steps);
        case Kind::SendActivation:
            return checkEnqueued(stage, id, steps.forward[entry(id)]);
        case Kind::SendGradient:
            return checkEnqueued(stage, id, steps.backward[entry(id)]);
        case Kind::ReceiveActivation:
        case Kind::ReceiveGradient:
        case Kind::GradientReduce:
        case Kind::TiedReduce:
        case Kind::ReplicaReduce:
        case Kind::NormReduce:
        case Kind::LossReduce:
            return checkEnqueued(stage, id, position);
        case Kind::Wait:
        case Kind::OptimizerStep:
        case Kind::TensorCollective:
            return {};
        }
        return {};
    }

    bool overlap(int stage, int first, int second) const
    {
        const std::vector<Instruction>& list = m_index.list(stage);
        return list[first].pair != 0 && list[first].pair == list[second].pair;
    }

    std::string checkBackward(int stage, int position, InstructionId id, Steps& steps)
    {
        if (steps.forward[entry(id)] < 0)
            return "the microbatch has not run forward on this chunk before";
        if (steps.backward[entry(id)] >= 0)
            return "the microbatch runs backward on this chunk twice";
        if (overlap(stage, steps.forward[entry(id)], position))
            return "it overlaps with the forward whose activations it needs";
        steps.backward[entry(id)] = position;
        if (id.kind() == Kind::Backward)
            steps.weight[entry(id)] = position;
        return checkInput(stage, position, id, 1);
    }

    std::string checkWeight(int position, InstructionId id, Steps& steps)
    {
        if (steps.backward[entry(id)] < 0)
            return "the gradient of the chunk's input has not been computed before";
        if (steps.weight[entry(id)] >= 0)
            return "the gradients of the weights are computed twice";
        steps.weight[entry(id)] = position;
        return {};
    }

    /// What a step consumes comes from the chunk before it (step −1) or after it (+1).
    std::string checkInput(int stage, int position, InstructionId id, int step) const
    {
        const std::optional<ChunkPlace> producer = m_index.neighbour(stage, id.chunk(), step);
        if (!producer)
            return {};
        const bool activation = step < 0;
        if (producer->stage == stage) {
            const Steps& steps = m_steps[stage];
            const std::size_t made =
                entry(InstructionId(id.kind(), Chunk(producer->chunk), id.microbatch()));
            if ((activation ? steps.forward : steps.backward)[made] >= 0)
                return {};
            return std::string("the ") + (activation ? "activation" : "gradient") +
                   " that it consumes has not been computed by chunk " +
                   std::to_string(producer->chunk) + " of this stage before";
        }
        const InstructionId receive(activation ? Kind::ReceiveActivation : Kind::ReceiveGradient,
                                    id.chunk(), id.microbatch());
        const std::string what = std::string(activation ? "activation" : "gradient") +
                                 " from stage " + std::to_string(producer->stage);
        if (m_index.find(stage, receive) < 0)
            return "it consumes the " + what + ", which the stage never receives";
        const int wait = m_index.findWait(stage, receive);
        if (wait < 0 || wait > position)
            return "it consumes the " + what + " without waiting for it first";
        return {};
    }

    /// made: position of the step whose result is sent; where nothing is, the instruction's own.
    std::string checkEnqueued(int stage, InstructionId id, int made) const
    {
        if (made < 0)
            return "what it sends has not been computed before";
        if (m_index.findWait(stage, id) < 0)
            return "it is never waited for: the step could end before it has completed";
        return {};
    }

    /// The replica that runs a microbatch: the one with most of its steps, so that one lost step is
    /// blamed on its own chunk.
    int ownerOf(int microbatch) const
    {
        std::vector<int> steps(m_index.program().replicas, 0);
        for (int stage = 0; stage < m_index.stages(); ++stage) {
            for (int chunk = 0; chunk < m_index.program().chunks; ++chunk) {
                const std::size_t at = std::size_t(chunk) * m_microbatches + microbatch;
                const int replica = m_index.content(stage, Chunk(chunk)).replica;
                steps[replica] += (m_steps[stage].forward[at] >= 0) +
                                  (m_steps[stage].backward[at] >= 0) +
                                  (m_steps[stage].weight[at] >= 0);
            }
        }
        return int(std::max_element(steps.begin(), steps.end()) - steps.begin());
    }

    std::optional<Refusal> checkCoverage() const
    {
        std::vector<int> owner;
        for (int microbatch = 0; microbatch < m_microbatches; ++microbatch)
            owner.push_back(ownerOf(microbatch));
        for (int stage = 0; stage < m_index.stages(); ++stage)
            for (int chunk = 0; chunk < m_index.program().chunks; ++chunk)
                for (int microbatch = 0; microbatch < m_microbatches; ++microbatch)
                    if (auto found = checkCovered(stage, chunk, microbatch, owner[microbatch]))
                        return found;
        return std::nullopt;
    }

    std::optional<Refusal> checkCovered(int stage, int chunk, int microbatch, int owner) const
    {
        const Steps& steps = m_steps[stage];
        const std::size_t at = std::size_t(chunk) * m_microbatches + microbatch;
        const bool owned = m_index.content(stage, Chunk(chunk)).replica == owner;
        if (!owned) {
            if (steps.forward[at] < 0)
                return std::nullopt;
            return refusal(m_index, stage, steps.forward[at],
                           "the microbatch belongs to another replica of the weights");
        }
        const auto missing = [&](Kind kind, const char* reason) {
            return refusal(stage, int(m_index.list(stage).size()),
                           InstructionId(kind, Chunk(chunk), Microbatch(microbatch)), reason);
        };
        if (steps.forward[at] < 0)
            return missing(Kind::Forward, "the microbatch never runs forward on this chunk");
        if (steps.backward[at] < 0)
            return missing(Kind::Backward, "the microbatch never runs backward on this chunk");
        if (steps.weight[at] < 0)
            return missing(Kind::BackwardWeight,
                           "the microbatch's gradients of this chunk's weights are never computed");
        return std::nullopt;
    }

    const ProgramIndex& m_index;
    int m_microbatches = 1;
    std::vector<Steps> m_steps; ///< [stage]
};

} // namespace

std::optional<Refusal> checkOrder(const ProgramIndex& index)
{
    return OrderCheck(index).run();
}

} // namespace triaxis
