#pragma once

#include "engine/record/rank_status.h"
#include "engine/record/records.h"
#include "engine/schedule/program.h"
#include "engine/train/tensor_group.h"
#include "kernels/device.h"

namespace triaxis::train
{

/// Where a rank is; what a fault report names.
struct Position
{
    int step = 0;
    InstructionId id;
};

/// Turns what a rank does into spans, and keeps the status file at the current instruction.
class StepRecorder
{
public:
    /// `detail`: also a span for every tensor collective.
    StepRecorder(RecordWriter& records, RankStatusWriter& status, Rank rank, bool detail);

    void beginStep(int step);
    /// The instruction that runs now, or is waited for.
    void enter(InstructionId id);
    /// A compute instruction has run.
    void computed(const Instruction& instruction, double begin, double end,
                  const TensorTimes& tensor);
    /// A transfer or collective has completed.
    void communicated(const Instruction& instruction, const kernels::Timing& timing,
                      std::int64_t bytes);
    void memory(const kernels::MemoryFigures& figures, double time);
    /// Most microbatches × chunks whose activations were held at once in the step.
    void live(int peak);
    /// A compute instruction of a paced run; step and rank are filled in.
    void slot(SlotSample sample);

    const Position& position() const { return m_position; }

private:
    Span span(InstructionId id, Lane lane) const;

    RecordWriter& m_records;
    RankStatusWriter& m_status;
    Rank m_rank;
    bool m_detail;
    Position m_position;
};

} // namespace triaxis::train
