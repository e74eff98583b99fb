#pragma once

#include "engine/schedule/verifier.h"

#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace triaxis
{

/// Where a virtual stage of a replica lies.
struct ChunkPlace
{
    int stage = 0;
    int chunk = 0;
};

/// Look-ups that the verifier's rules share. Refers to the program; made only for one whose shape
/// is sound.
class ProgramIndex
{
public:
    explicit ProgramIndex(const Program& program);

    const Program& program() const { return m_program; }
    int stages() const { return m_program.stages; }
    int positions() const { return m_positions; } ///< virtual stages of one replica

    const std::vector<Instruction>& list(int stage) const
    {
        return m_program.perStage[stage].instructions;
    }
    const ChunkContent& content(int stage, Chunk chunk) const
    {
        return m_program.perStage[stage].chunks[chunk.value];
    }
    ChunkPlace placeOf(int replica, int virtualStage) const
    {
        return m_places[replica][virtualStage];
    }
    /// Place of the chunk before (−1) or after (+1) a chunk in the model; empty at the model's
    /// ends.
    std::optional<ChunkPlace> neighbour(int stage, Chunk chunk, int step) const;

    /// Position of an instruction in the stage's list, −1 if it has none with this id (the first,
    /// if several).
    int find(int stage, InstructionId id) const;
    /// Position of the Wait for an instruction, −1 if it is never waited for.
    int findWait(int stage, InstructionId target) const { return find(stage, waitFor(target)); }

    /// Stages that join a collective of `stage`, itself included, ascending; only it where the
    /// instruction joins no others.
    std::vector<int> members(int stage, const Instruction& collective) const;
    /// Position of the same collective on another of its members, −1 if that stage has none.
    int findOn(int member, int stage, const Instruction& collective) const;

private:
    const Program& m_program;
    int m_positions = 1;
    std::vector<std::vector<ChunkPlace>> m_places; ///< [replica][virtual stage]
    std::vector<int> m_all;                        ///< every stage
    std::vector<int> m_ends; ///< stages that hold the embedding or the head, ascending
    std::vector<std::unordered_map<std::uint64_t, int>> m_at; ///< [stage] packed id → position
};

Refusal refusal(int stage, int position, InstructionId id, const std::string& reason);
Refusal refusal(const ProgramIndex& index, int stage, int position, const std::string& reason);

} // namespace triaxis
