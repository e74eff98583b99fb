#include "engine/schedule/step_tail.h"

#include "engine/schedule/gradient_sizes.h"
#include "engine/schedule/transfers.h"

#include <algorithm>
#include <set>

namespace triaxis
{
namespace
{

/// Norm and loss travel as one double.
constexpr std::int64_t scalarBytes = 8;

Instruction collective(Kind kind, Lane lane, Chunk chunk, std::int64_t bytes, int part = 0)
{
    Instruction instruction;
    instruction.id = {kind, chunk, Microbatch(0), part};
    instruction.lane = lane;
    instruction.bytes = bytes;
    return instruction;
}

bool finishesGradient(const Instruction& instruction, Chunk chunk)
{
    const Kind kind = instruction.id.kind();
    return instruction.id.chunk() == chunk &&
           (kind == Kind::Backward || kind == Kind::BackwardWeight);
}

bool isPair(const Instruction& first, const Instruction& second)
{
    return first.pair != 0 && first.pair == second.pair;
}

/// The transfer that hands on a step's result goes first: other stages wait for it, nobody yet for
/// the gradients.
bool belongsToHandOver(const Instruction& instruction)
{
    const Kind kind = instruction.id.kind();
    return isSend(kind) || (isReceive(kind) && instruction.fuse != 0) ||
           (kind == Kind::Wait && isSend(instruction.target.kind()));
}

class StageTail
{
public:
    StageTail(StageProgram& stage, const ProgramInputs& inputs,
              const std::vector<ShardSizes>& sizes, int replicas)
        : m_stage(stage), m_inputs(inputs), m_sizes(sizes), m_replicas(replicas)
    {
    }

    void add(bool tied, const std::vector<Instruction>& pendingSends)
    {
        addGradientReductions();
        for (const Instruction& send : pendingSends)
            append(waitInstruction(send));
        for (const Instruction& reduction : m_reductions)
            append(waitInstruction(reduction));
        addReplicaReductions();
        if (tied)
            addTiedReduction();
        addUpdate();
    }

private:
    void append(const Instruction& instruction) { m_stage.instructions.push_back(instruction); }

    std::vector<Instruction> bucketsOf(Chunk chunk) const
    {
        const std::int64_t elements =
            largestChunkElements(m_sizes, m_inputs.model, m_stage.chunks, chunk);
        const std::int64_t cut = bucketElements(elements, m_inputs);
        std::vector<Instruction> buckets;
        for (int part = 0; part < bucketCount(elements, m_inputs); ++part) {
            const std::int64_t size = std::min(cut, elements - part * cut);
            buckets.push_back(collective(Kind::GradientReduce, Lane::Data, chunk,
                                         size * m_inputs.bytesPerElement, part));
        }
        return buckets;
    }

    /// Just behind the last step that adds to the gradients of `chunk`, and its hand-over. Where
    /// the stage holds both embedding and head, either may add to the embedding's gradients (tied
    /// head).
    std::size_t readyPosition(Chunk chunk) const
    {
        const std::vector<Instruction>& list = m_stage.instructions;
        std::size_t position = 0;
        for (std::size_t i = 0; i < list.size(); ++i)
            for (int other = 0; other < int(m_stage.chunks.size()); ++other)
                if (finishesGradient(list[i], Chunk(other)) && adds(Chunk(other), chunk))
                    position = i + 1;
        while (position > 0 && position < list.size() &&
               (belongsToHandOver(list[position]) || isPair(list[position - 1], list[position])))
            ++position;
        return position;
    }

    bool adds(Chunk other, Chunk chunk) const
    {
        return other == chunk ||
               (m_stage.chunks[chunk.value].embedding && m_stage.chunks[other.value].head);
    }

    /// With twins of the stage's chunks elsewhere, all at the end and by position in the model: the
    /// order that every stage of a pair has in common.
    void addGradientReductions()
    {
        if (m_inputs.layout.dp == 1 && m_replicas == 1)
            return;
        std::vector<std::pair<std::size_t, Chunk>> places;
        for (int chunk = 0; chunk < int(m_stage.chunks.size()); ++chunk)
            places.emplace_back(m_replicas > 1 ? m_stage.instructions.size()
                                               : readyPosition(Chunk(chunk)),
                                Chunk(chunk));
        std::sort(places.begin(), places.end(), [&](const auto& a, const auto& b) {
            return std::pair(a.first, m_stage.chunks[a.second.value].virtualStage) <
                   std::pair(b.first, m_stage.chunks[b.second.value].virtualStage);
        });
        std::vector<Instruction> merged;
        std::size_t copied = 0;
        for (const auto& [position, chunk] : places) {
            const auto begin = m_stage.instructions.begin();
            merged.insert(merged.end(), begin + copied, begin + position);
            copied = position;
            for (const Instruction& bucket : bucketsOf(chunk)) {
                merged.push_back(bucket);
                m_reductions.push_back(bucket);
            }
        }
        merged.insert(merged.end(), m_stage.instructions.begin() + copied,
                      m_stage.instructions.end());
        m_stage.instructions = std::move(merged);
    }

    void addReplicaReductions()
    {
        if (m_inputs.layout.tp <= m_inputs.model.kvHeads)
            return;
        std::int64_t layerElements = 0;
        for (const ShardSizes& sizes : m_sizes)
            layerElements = std::max(layerElements, sizes.layerReplicated);
        std::vector<Instruction> reductions;
        for (int chunk = 0; chunk < int(m_stage.chunks.size()); ++chunk) {
            const std::int64_t elements = layerElements * m_stage.chunks[chunk].layerCount;
            if (elements > 0)
                reductions.push_back(collective(Kind::ReplicaReduce, Lane::Tensor, Chunk(chunk),
                                                elements * m_inputs.bytesPerElement));
        }
        for (const Instruction& reduction : reductions)
            append(reduction);
        for (const Instruction& reduction : reductions)
            append(waitInstruction(reduction));
    }

    void addTiedReduction()
    {
        std::int64_t elements = 0;
        for (const ShardSizes& sizes : m_sizes)
            elements = std::max(elements, sizes.tokenTable);
        const Instruction tied =
            collective(Kind::TiedReduce, Lane::Data, Chunk(0), elements * m_inputs.bytesPerElement);
        append(tied);
        append(waitInstruction(tied));
    }

    void addUpdate()
    {
        const Instruction norm = collective(Kind::NormReduce, Lane::Data, Chunk(0), scalarBytes);
        const Instruction loss = collective(Kind::LossReduce, Lane::Data, Chunk(0), scalarBytes);
        Instruction optimizer;
        optimizer.id = {Kind::OptimizerStep, Chunk(0), Microbatch(0)};
        append(norm);
        append(loss);
        append(waitInstruction(norm));
        append(optimizer);
        append(waitInstruction(loss));
    }

    StageProgram& m_stage;
    const ProgramInputs& m_inputs;
    const std::vector<ShardSizes>& m_sizes;
    int m_replicas = 1;
    std::vector<Instruction> m_reductions; ///< in the order in which they are enqueued
};

} // namespace

std::vector<int> tiedStages(const ModelSpec& model,
                            const std::vector<std::vector<ChunkContent>>& contents)
{
    std::set<int> embedding;
    std::set<int> head;
    for (int stage = 0; stage < int(contents.size()); ++stage) {
        for (const ChunkContent& chunk : contents[stage]) {
            if (chunk.embedding)
                embedding.insert(stage);
            if (chunk.head)
                head.insert(stage);
        }
    }
    if (!model.tiedHead || embedding == head)
        return {};
    embedding.insert(head.begin(), head.end());
    return {embedding.begin(), embedding.end()};
}

void addStepTail(Program& program, const ProgramInputs& inputs,
                 const std::vector<std::vector<Instruction>>& pendingSends)
{
    std::vector<std::vector<ChunkContent>> contents;
    for (const StageProgram& stage : program.perStage)
        contents.push_back(stage.chunks);
    const std::vector<int> tied = tiedStages(inputs.model, contents);
    const std::vector<ShardSizes> sizes = shardSizes(inputs.model, inputs.layout.tp);
    for (StageProgram& stage : program.perStage) {
        const bool isTied = std::count(tied.begin(), tied.end(), stage.stage.value) > 0;
        StageTail(stage, inputs, sizes, program.replicas)
            .add(isTied, pendingSends[stage.stage.value]);
    }
}

} // namespace triaxis
