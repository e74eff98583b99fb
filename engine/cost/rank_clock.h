#pragma once

#include "engine/record/run_plan.h"
#include "engine/schedule/program.h"

#include <array>
#include <map>

namespace triaxis
{

/// The clock of slots of a rank of a paced run: twin of the one that trains. In a run without slots
/// everything is due at once.
class RankClock
{
public:
    explicit RankClock(const RunPlan& plan) : m_plan(&plan) {}

    /// When the slot of a compute instruction begins.
    double open(const Instruction& instruction, const StageProgram& stage);
    void close() { m_end = m_slotEnd; }
    double end() const { return m_end; }
    bool paced() const { return m_plan->execution.pace.active(); }
    /// Seconds of the tensor collectives inside the slot opened last.
    double tensor() const { return m_tensor; }

    /// When a message sent now will have arrived.
    double depart(const Instruction& send);
    void departed(const Instruction& send);
    /// When a message that arrives at `arrival` may be used.
    double arrived(double arrival);
    /// When a collective that all members have offered by `offered` is over.
    double reduced(const Instruction& collective, double offered, int members);

private:
    double tensorSeconds(const Instruction& instruction, const ChunkContent& content) const;

    const RunPlan* m_plan;
    double m_end = 0;
    double m_slotEnd = 0;
    double m_tensor = 0;
    double m_inputs = 0;
    std::array<double, 8> m_laneFree{};
    std::map<InstructionId, double> m_departed;
};

} // namespace triaxis
