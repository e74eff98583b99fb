#include "engine/timeline/span_partners.h"

namespace triaxis
{

SpanPartners::SpanPartners(const Program& program, const Layout& layout) : m_layout(layout)
{
    for (int rank = 0; rank < layout.ranks(); ++rank)
        m_at.push_back(coordinatesOf(layout, Rank(rank)));
    for (const StageProgram& stage : program.perStage) {
        auto& peers = m_peers.emplace_back();
        auto& instructions = m_instructions.emplace_back();
        auto& chunks = m_virtualStage.emplace_back();
        for (const ChunkContent& chunk : stage.chunks)
            chunks.push_back(chunk.virtualStage);
        for (const Instruction& instruction : stage.instructions) {
            const Kind kind = instruction.id.kind();
            if (kind == Kind::Wait)
                continue;
            instructions.insert(instruction.id.packed);
            if (isSend(kind) || isReceive(kind))
                peers[instruction.id.packed] = {instruction.peer.value, instruction.counterpart};
        }
    }
}

bool SpanPartners::has(int stage, InstructionId id) const
{
    return stage >= 0 && std::size_t(stage) < m_instructions.size() &&
           m_instructions[std::size_t(stage)].contains(id.packed);
}

std::optional<RankInstruction> SpanPartners::otherEnd(Rank rank, InstructionId id) const
{
    if (rank.value < 0 || std::size_t(rank.value) >= m_at.size())
        return std::nullopt;
    Coordinates at = m_at[std::size_t(rank.value)];
    if (std::size_t(at.pipeline) >= m_peers.size())
        return std::nullopt;
    const auto& peers = m_peers[std::size_t(at.pipeline)];
    const auto found = peers.find(id.packed);
    if (found == peers.end() || found->second.stage < 0 || found->second.stage >= m_layout.pp)
        return std::nullopt;
    at.pipeline = found->second.stage;
    return RankInstruction{rankOf(m_layout, at), found->second.id};
}

std::vector<RankInstruction> SpanPartners::gradientMembers(const Coordinates& at,
                                                           InstructionId id) const
{
    const std::vector<int>& own = m_virtualStage[std::size_t(at.pipeline)];
    const auto chunk = std::size_t(id.chunk().value);
    if (chunk >= own.size())
        return {};
    std::vector<RankInstruction> members;
    // Chunks of two stages hold the same weights in bidirectional schedules.
    for (std::size_t stage = 0; stage < m_virtualStage.size(); ++stage) {
        for (std::size_t c = 0; c < m_virtualStage[stage].size(); ++c) {
            if (m_virtualStage[stage][c] != own[chunk])
                continue;
            const InstructionId twin(id.kind(), Chunk(int(c)), id.microbatch(), id.part());
            for (int data = 0; data < m_layout.dp; ++data)
                members.push_back({rankOf(m_layout, {data, at.tensor, int(stage)}), twin});
        }
    }
    return members;
}

std::vector<RankInstruction> SpanPartners::membersOf(Rank rank, InstructionId id) const
{
    std::vector<RankInstruction> members;
    if (rank.value < 0 || std::size_t(rank.value) >= m_at.size() || !isCollective(id.kind()))
        return members;
    const Coordinates at = m_at[std::size_t(rank.value)];
    if (id.kind() == Kind::GradientReduce)
        return gradientMembers(at, id);
    const bool tensorOnly = id.kind() == Kind::ReplicaReduce || id.kind() == Kind::TensorCollective;
    for (std::size_t other = 0; other < m_at.size(); ++other) {
        const Coordinates& where = m_at[other];
        bool joins = id.kind() == Kind::LossReduce || where.data == at.data;
        if (tensorOnly)
            joins = joins && where.pipeline == at.pipeline;
        if (id.kind() == Kind::TiedReduce)
            joins = joins && where.tensor == at.tensor && has(where.pipeline, id);
        if (joins)
            members.push_back({Rank(int(other)), id});
    }
    return members;
}

std::optional<RankInstruction> SpanPartners::firstOf(Rank rank,
                                                     const std::vector<InstructionId>& ids) const
{
    if (rank.value < 0 || std::size_t(rank.value) >= m_at.size())
        return std::nullopt;
    for (const InstructionId id : ids) {
        if (has(m_at[std::size_t(rank.value)].pipeline, id))
            return RankInstruction{rank, id};
    }
    return std::nullopt;
}

std::optional<RankInstruction> SpanPartners::next(Rank rank, InstructionId id) const
{
    const Chunk chunk = id.chunk();
    const Microbatch microbatch = id.microbatch();
    switch (id.kind()) {
    case Kind::Forward:
        // The last virtual stage turns round.
        return firstOf(rank, {{Kind::SendActivation, chunk, microbatch},
                              {Kind::Backward, chunk, microbatch},
                              {Kind::BackwardInput, chunk, microbatch}});
    case Kind::Backward:
        return firstOf(rank, {{Kind::SendGradient, chunk, microbatch}});
    case Kind::BackwardInput:
        return firstOf(rank, {{Kind::SendGradient, chunk, microbatch},
                              {Kind::BackwardWeight, chunk, microbatch}});
    case Kind::SendActivation:
    case Kind::SendGradient:
        return otherEnd(rank, id);
    case Kind::ReceiveActivation:
        return firstOf(rank, {{Kind::Forward, chunk, microbatch}});
    case Kind::ReceiveGradient:
        return firstOf(
            rank, {{Kind::Backward, chunk, microbatch}, {Kind::BackwardInput, chunk, microbatch}});
    case Kind::BackwardWeight:
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
    case Kind::TensorCollective:
        break;
    }
    return std::nullopt;
}

std::optional<RankInstruction> SpanPartners::previous(Rank rank, InstructionId id) const
{
    const Chunk chunk = id.chunk();
    const Microbatch microbatch = id.microbatch();
    switch (id.kind()) {
    case Kind::Forward:
        return firstOf(rank, {{Kind::ReceiveActivation, chunk, microbatch}});
    case Kind::Backward:
    case Kind::BackwardInput:
        return firstOf(
            rank, {{Kind::ReceiveGradient, chunk, microbatch}, {Kind::Forward, chunk, microbatch}});
    case Kind::BackwardWeight:
        return firstOf(rank, {{Kind::BackwardInput, chunk, microbatch}});
    case Kind::SendActivation:
        return firstOf(rank, {{Kind::Forward, chunk, microbatch}});
    case Kind::SendGradient:
        return firstOf(
            rank, {{Kind::Backward, chunk, microbatch}, {Kind::BackwardInput, chunk, microbatch}});
    case Kind::ReceiveActivation:
    case Kind::ReceiveGradient:
        return otherEnd(rank, id);
    case Kind::Wait:
    case Kind::GradientReduce:
    case Kind::TiedReduce:
    case Kind::ReplicaReduce:
    case Kind::NormReduce:
    case Kind::OptimizerStep:
    case Kind::LossReduce:
    case Kind::TensorCollective:
        break;
    }
    return std::nullopt;
}

} // namespace triaxis
