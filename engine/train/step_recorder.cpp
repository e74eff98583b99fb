#include "engine/train/step_recorder.h"

#include <algorithm>

namespace triaxis::train
{

StepRecorder::StepRecorder(RecordWriter& records, RankStatusWriter& status, Rank rank, bool detail)
    : m_records(records), m_status(status), m_rank(rank), m_detail(detail)
{
}

void StepRecorder::beginStep(int step)
{
    m_position.step = step;
    m_position.id = {};
}

void StepRecorder::enter(InstructionId id)
{
    m_position.id = id;
    m_status.begin(m_position.step, id);
}

Span StepRecorder::span(InstructionId id, Lane lane) const
{
    Span span;
    span.step = m_position.step;
    span.rank = m_rank;
    span.id = id;
    span.lane = lane;
    return span;
}

void StepRecorder::computed(const Instruction& instruction, double begin, double end,
                            const TensorTimes& tensor)
{
    Span compute = span(instruction.id, instruction.lane);
    compute.ready = compute.begin = begin;
    compute.end = end;
    compute.flops = instruction.flops;
    compute.tensorWait = tensor.wait;
    compute.tensorTransfer = tensor.transfer;
    m_records.span(compute);
    m_status.finished();
    if (!m_detail)
        return;
    for (const TensorCollectiveTiming& collective : tensor.collectives) {
        const InstructionId id(Kind::TensorCollective, instruction.id.chunk(),
                               instruction.id.microbatch(), collective.part);
        Span child = span(id, Lane::Tensor);
        child.ready = collective.timing.ready;
        child.begin = collective.timing.begin;
        child.end = collective.timing.end;
        child.bytes = collective.bytes;
        m_records.span(child);
    }
}

void StepRecorder::communicated(const Instruction& instruction, const kernels::Timing& timing,
                                std::int64_t bytes)
{
    Span transfer = span(instruction.id, instruction.lane);
    transfer.ready = timing.ready;
    transfer.begin = timing.begin;
    transfer.end = timing.end;
    transfer.bytes = bytes;
    m_records.span(transfer);
    m_status.finished();
}

void StepRecorder::live(int peak)
{
    m_records.live({m_position.step, m_rank, peak});
}

void StepRecorder::slot(SlotSample sample)
{
    sample.step = m_position.step;
    sample.rank = m_rank;
    m_records.slot(sample);
}

void StepRecorder::memory(const kernels::MemoryFigures& figures, double time)
{
    static_assert(kernels::memoryUseCount == memoryCategoryCount);
    MemorySample sample;
    sample.step = m_position.step;
    sample.rank = m_rank;
    sample.time = time;
    std::copy(figures.live.begin(), figures.live.end(), sample.live.begin());
    std::copy(figures.peak.begin(), figures.peak.end(), sample.peak.begin());
    sample.peakTotal = figures.peakTotal;
    m_records.memory(sample);
}

} // namespace triaxis::train
