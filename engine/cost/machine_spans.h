#pragma once

#include "engine/record/run_plan.h"
#include "engine/timeline/span.h"

#include <map>
#include <utility>
#include <vector>

namespace triaxis
{

/// Gathers the spans of one step of a played run, as its ranks would record them: a transfer or
/// collective from when the rank was ready for it until it had gone on.
class MachineSpans
{
public:
    /// `step`: of those played, from 0.
    explicit MachineSpans(int step) : m_step(step) {}

    bool wants(int step) const { return step == m_step; }
    void computed(int rank, const Instruction& instruction, double begin, double end,
                  double tensorWait, double tensorTransfer);
    /// Sends and collectives are ready when they are enqueued, receives when they are waited for.
    void ready(int rank, const Instruction& instruction, double time);
    void ended(int rank, const Instruction& instruction, double time);
    /// Paired, as step 1, the first beginning at 0.
    std::vector<Span> take(const RunPlan& plan);

private:
    int m_step;
    std::vector<Span> m_spans;
    std::map<std::pair<int, InstructionId>, std::size_t> m_open; ///< into m_spans
};

} // namespace triaxis
