#include "engine/cost/rank_work.h"

#include "engine/core/error.h"
#include "engine/cost/layer_walk.h"
#include "engine/schedule/gradient_sizes.h"
#include "engine/schedule/step_tail.h"

#include <map>

namespace triaxis
{
namespace
{

/// The executor's view of one step: what each microbatch of each chunk holds between instructions.
class StepWalk
{
public:
    /// `kept`: bytes of activations that the rank holds at most.
    StepWalk(const RunPlan& plan, const Program& program, Rank rank, const MachineRates& rates,
             std::int64_t kept)
        : m_at(coordinatesOf(plan.layout, rank)),
          m_stage(program.perStage.at(std::size_t(m_at.pipeline))),
          m_walk(plan, m_at.tensor, rates),
          m_shard(shardSizes(plan.model, plan.layout.tp).at(std::size_t(m_at.tensor)))
    {
        const bool ownTable = holdsOwnHeadTable(plan.model, m_stage.chunks);
        for (const ChunkContent& content : m_stage.chunks)
            m_elements += chunkElements(m_shard, content, ownTable);
        m_walk.hold(MemoryCategory::Weights, m_elements);
        m_walk.hold(MemoryCategory::Gradients, m_elements);
        m_walk.hold(MemoryCategory::Optimizer, 2 * m_elements);
        m_walk.setWorkingSet(4 * m_elements * std::int64_t(sizeof(float)) + kept);
        // The optimizer's moments come by only once a step.
        m_walk.setKeptSet(2 * m_elements * std::int64_t(sizeof(float)) + kept);
    }

    RankWork run()
    {
        RankWork work;
        for (const Instruction& instruction : m_stage.instructions) {
            m_walk.operation(MachineOperation::Instruction, 1);
            visit(instruction);
            work.parts.push_back(m_walk.takeParts());
        }
        work.memory = m_walk.memory();
        return work;
    }

private:
    struct InFlight
    {
        Held input, output, outputGradient, inputGradient;
        ChunkHeld saved;
    };
    using Place = std::pair<int, int>; ///< chunk, microbatch

    void visit(const Instruction& instruction)
    {
        const InstructionId id = instruction.id;
        switch (id.kind()) {
        case Kind::Forward:
            forward(id);
            break;
        case Kind::Backward:
            backward(id, true);
            break;
        case Kind::BackwardInput:
            backward(id, false);
            break;
        case Kind::BackwardWeight:
            m_walk.chunkBackwardWeight(content(id), inFlight(id).saved);
            break;
        case Kind::SendActivation:
            m_pending[id] = std::exchange(inFlight(id).output, {});
            break;
        case Kind::SendGradient:
            m_pending[id] = std::exchange(inFlight(id).inputGradient, {});
            break;
        case Kind::ReceiveActivation:
        case Kind::ReceiveGradient:
            m_pending[id] = m_walk.hold(MemoryCategory::Activations,
                                        instruction.bytes / std::int64_t(sizeof(float)));
            break;
        case Kind::ReplicaReduce:
            replicaReduce(instruction);
            break;
        case Kind::NormReduce:
            m_walk.operation(MachineOperation::SumOfSquares, m_elements);
            break;
        case Kind::OptimizerStep:
            m_walk.operation(MachineOperation::AdamW, m_elements);
            break;
        case Kind::Wait:
            complete(instruction.target);
            break;
        case Kind::GradientReduce:
        case Kind::TiedReduce:
        case Kind::LossReduce:
        case Kind::TensorCollective:
            break;
        }
    }

    void forward(InstructionId id)
    {
        InFlight& at = inFlight(id);
        Held output = m_walk.chunkForward(content(id), std::exchange(at.input, {}), at.saved);
        if (InFlight* next = neighbour(id, 1))
            next->input = output;
        else
            at.output = output;
    }

    void backward(InstructionId id, bool weights)
    {
        InFlight& at = inFlight(id);
        Held gradient = m_walk.chunkBackward(
            content(id), id.chunk().value, std::exchange(at.outputGradient, {}), at.saved, weights);
        if (InFlight* previous = neighbour(id, -1))
            previous->outputGradient = gradient;
        else
            at.inputGradient = gradient;
    }

    void replicaReduce(const Instruction& instruction)
    {
        const std::int64_t elements = instruction.bytes / std::int64_t(sizeof(float));
        m_pending[instruction.id] = m_walk.hold(MemoryCategory::Communication, elements);
        m_walk.operation(MachineOperation::Copy, elements);
    }

    void complete(InstructionId target)
    {
        const auto found = m_pending.find(target);
        if (found == m_pending.end())
            return;
        Held held = found->second;
        m_pending.erase(found);
        switch (target.kind()) {
        case Kind::ReceiveActivation:
            inFlight(target).input = held;
            return;
        case Kind::ReceiveGradient:
            inFlight(target).outputGradient = held;
            return;
        case Kind::ReplicaReduce:
            m_walk.operation(MachineOperation::Copy, held.bytes / std::int64_t(sizeof(float)));
            break;
        case Kind::Forward:
        case Kind::Backward:
        case Kind::BackwardInput:
        case Kind::BackwardWeight:
        case Kind::SendActivation:
        case Kind::SendGradient:
        case Kind::Wait:
        case Kind::GradientReduce:
        case Kind::TiedReduce:
        case Kind::NormReduce:
        case Kind::OptimizerStep:
        case Kind::LossReduce:
        case Kind::TensorCollective:
            break;
        }
        m_walk.drop(held);
    }

    const ChunkContent& content(InstructionId id) const
    {
        return m_stage.chunks.at(std::size_t(id.chunk().value));
    }
    InFlight& inFlight(InstructionId id)
    {
        return m_inFlight[{id.chunk().value, id.microbatch().value}];
    }
    InFlight* neighbour(InstructionId id, int distance)
    {
        const ChunkContent& here = content(id);
        for (std::size_t i = 0; i < m_stage.chunks.size(); ++i) {
            const ChunkContent& other = m_stage.chunks[i];
            if (other.replica == here.replica && other.virtualStage == here.virtualStage + distance)
                return &m_inFlight[{int(i), id.microbatch().value}];
        }
        return nullptr;
    }

    Coordinates m_at;
    const StageProgram& m_stage;
    LayerWalk m_walk;
    ShardSizes m_shard;
    std::int64_t m_elements = 0;
    std::map<Place, InFlight> m_inFlight;
    std::map<InstructionId, Held> m_pending;
};

} // namespace

RankWork rankWork(const RunPlan& plan, const Program& program, Rank rank, const MachineRates& rates)
{
    const RankWork first = StepWalk(plan, program, rank, rates, 0).run();
    const std::int64_t kept = first.memory.peak[std::size_t(MemoryCategory::Activations)];
    return StepWalk(plan, program, rank, rates, kept).run();
}

PredictedBytes rankMemory(const RunPlan& plan, const Program& program, Rank rank)
{
    return StepWalk(plan, program, rank, MachineRates::untimed(), 0).run().memory;
}

} // namespace triaxis
