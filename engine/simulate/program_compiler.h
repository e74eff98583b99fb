#pragma once

#include "engine/simulate/compiled_program.h"

#include <array>
#include <deque>
#include <map>
#include <tuple>
#include <vector>

namespace triaxis
{

/// In-order queues of a rank that a replay keeps time for, by Lane.
inline constexpr int replayLanes = 8;

/// Plays the issue semantics of StageProgram without time and notes in which order things happen.
class ProgramCompiler
{
public:
    ProgramCompiler(const Program& program, CompiledProgram& compiled);
    void run();

private:
    using OpKind = CompiledProgram::OpKind;

    /// What stands on a lane: a transfer, or a collective's slot.
    struct Queued
    {
        bool transfer = true;
        int item = 0;
    };
    struct StageState
    {
        std::size_t next = 0;
        std::array<std::deque<Queued>, replayLanes> lanes;
        std::vector<int> transferOf; ///< [kind][chunk][microbatch] item of a send or receive
        std::vector<int> slots;      ///< of the stage's collectives, in issue order
        int pairForward = -1;        ///< compute item that waits for its partner
        bool inTail = false;         ///< has waited for a collective
    };

    void collectItems();
    void addCompute(StageState& state, int stage, const Instruction& instruction);
    void addTransfer(int stage, const Instruction& instruction);
    void addCollective(int stage, const Instruction& instruction);
    std::size_t transferIndex(InstructionId id) const;
    int slotOf(const StageState& state, InstructionId id) const;

    bool issueNext(int stage);
    bool issueWait(int stage, const Instruction& wait);
    void enqueue(int stage, const Instruction& instruction);
    void settle(int stage, Lane lane);
    bool settleTransfer(int item);
    bool settleCollective(int item);
    void emit(OpKind kind, int stage, int item, bool tail);

    const Program& m_program;
    CompiledProgram& m_compiled;
    std::vector<StageState> m_stages;
    std::vector<int> m_computeAt;               ///< next compute item of each stage, in list order
    std::vector<std::vector<int>> m_computesOf; ///< [stage]
    std::map<std::tuple<int, int, int>, int> m_collectiveOf; ///< kind, place, part
    std::vector<std::array<bool, 2>> m_enqueued;             ///< [transfer] send, receive
    std::vector<bool> m_moved, m_met;
    std::vector<int> m_slotCollective, m_slotStage;
    std::vector<bool> m_slotEnqueued;
    std::vector<int> m_blocked; ///< scratch
    std::deque<int> m_ready;
    std::vector<bool> m_queued;
};

} // namespace triaxis
