#include "engine/schedule/verifier_index.h"

namespace triaxis
{

ProgramIndex::ProgramIndex(const Program& program)
    : m_program(program), m_positions(program.stages * program.chunks / program.replicas),
      m_places(program.replicas, std::vector<ChunkPlace>(m_positions)), m_at(program.stages)
{
    for (int stage = 0; stage < program.stages; ++stage) {
        const StageProgram& own = program.perStage[stage];
        bool end = false;
        for (int chunk = 0; chunk < program.chunks; ++chunk) {
            const ChunkContent& content = own.chunks[chunk];
            m_places[content.replica][content.virtualStage] = {stage, chunk};
            end = end || content.embedding || content.head;
        }
        m_all.push_back(stage);
        if (end)
            m_ends.push_back(stage);
        m_at[stage].reserve(own.instructions.size());
        for (int position = 0; position < int(own.instructions.size()); ++position)
            m_at[stage].emplace(own.instructions[position].id.packed, position);
    }
}

std::optional<ChunkPlace> ProgramIndex::neighbour(int stage, Chunk chunk, int step) const
{
    const ChunkContent& own = content(stage, chunk);
    const int position = own.virtualStage + step;
    if (position < 0 || position >= m_positions)
        return std::nullopt;
    return placeOf(own.replica, position);
}

int ProgramIndex::find(int stage, InstructionId id) const
{
    const auto found = m_at[stage].find(id.packed);
    return found == m_at[stage].end() ? -1 : found->second;
}

std::vector<int> ProgramIndex::members(int stage, const Instruction& collective) const
{
    const Kind kind = collective.id.kind();
    if (kind == Kind::NormReduce || kind == Kind::LossReduce)
        return m_all;
    if (kind == Kind::TiedReduce)
        return m_ends;
    if (kind != Kind::GradientReduce || m_program.replicas == 1)
        return {stage};
    std::vector<int> twins;
    const int position = content(stage, collective.id.chunk()).virtualStage;
    for (const int other : m_all)
        for (const ChunkContent& chunk : m_program.perStage[other].chunks)
            if (chunk.virtualStage == position && (twins.empty() || twins.back() != other))
                twins.push_back(other);
    return twins;
}

int ProgramIndex::findOn(int member, int stage, const Instruction& collective) const
{
    InstructionId id = collective.id;
    if (id.kind() == Kind::GradientReduce && member != stage) {
        const int position = content(stage, id.chunk()).virtualStage;
        const std::vector<ChunkContent>& chunks = m_program.perStage[member].chunks;
        for (int chunk = 0; chunk < int(chunks.size()); ++chunk) {
            if (chunks[chunk].virtualStage == position) {
                id = InstructionId(id.kind(), Chunk(chunk), id.microbatch(), id.part());
                break;
            }
        }
    }
    return find(member, id);
}

Refusal refusal(int stage, int position, InstructionId id, const std::string& reason)
{
    return {Stage(stage), position, id, reason};
}

Refusal refusal(const ProgramIndex& index, int stage, int position, const std::string& reason)
{
    return refusal(stage, position, index.list(stage)[position].id, reason);
}

} // namespace triaxis
