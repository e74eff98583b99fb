#pragma once

#include "engine/layout/layout.h"
#include "engine/schedule/program.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace triaxis
{

/// An instruction of one rank.
struct RankInstruction
{
    Rank rank;
    InstructionId id;
    bool operator==(const RankInstruction&) const = default;
};

/// Who an instruction works with, worked out once from the program: the other end of a transfer, the members of a
/// collective, the compute that a transfer feeds or comes from. Immutable.
class SpanPartners
{
public:
    SpanPartners(const Program& program, const Layout& layout);

    /// The other end of a send or receive; none for other instructions and those that the program does not have.
    std::optional<RankInstruction> otherEnd(Rank rank, InstructionId id) const;
    /// Everybody who takes part in a collective, this rank included; empty for other instructions.
    std::vector<RankInstruction> membersOf(Rank rank, InstructionId id) const;

    /// What happens next to the data: a compute instruction's send, that send's receive, the compute that consumes it.
    std::optional<RankInstruction> next(Rank rank, InstructionId id) const;
    /// Where the data came from, the same way back.
    std::optional<RankInstruction> previous(Rank rank, InstructionId id) const;

private:
    struct Peer
    {
        int stage = 0;
        InstructionId id;
    };
    bool has(int stage, InstructionId id) const;
    /// The first of these that the stage runs.
    std::optional<RankInstruction> firstOf(Rank rank, const std::vector<InstructionId>& ids) const;
    std::vector<RankInstruction> gradientMembers(const Coordinates& at, InstructionId id) const;

    Layout m_layout;
    std::vector<Coordinates> m_at;                                   ///< [rank]
    std::vector<std::unordered_map<std::uint64_t, Peer>> m_peers;    ///< [stage] of sends and receives
    std::vector<std::unordered_set<std::uint64_t>> m_instructions;   ///< [stage]
    std::vector<std::vector<int>> m_virtualStage;                    ///< [stage][chunk]
};

} // namespace triaxis
